internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage
package import TondoCache
internal import TondoFiles
package import TondoImage
internal import TondoJobs
package import TondoRender

/// Converts photos: opens them -> skips existing avatars -> takes them from the cache, or draws them -> writes them. All
/// of that happens on the workers of a pipeline of its own. A file that is not an avatar of Tondo's is not replaced. Usable from any thread; blocks none. Once a folder takes no
/// more files, photos with that output folder are not started.
package final class Converter: Sendable {
    private let pipeline: AvatarPipeline
    private let styles: StyleSet
    /// Draw avatars that already exist, or that are in the cache.
    private let force: Bool
    private let closed = ClosedFolders()
    /// Draws pictures of crops one after the other: each holds a photo and a picture of 4 MB.
    private let explaining = DispatchQueue(label: "tondo.explain-crop", qos: .utility)
    private let isStopped = Atomic<Bool>(false)

    /// `jobs`: photos that are drawn in parallel. `workers`: decode them; nil: in this process. `initials`: for contacts
    /// without a photo. `change`: of the pipeline's options, for tests.
    package init(
        styles: [Style], limits: Limits, force: Bool, cache: AvatarCache? = nil, jobs: Int = 1,
        workers: RenderWorkers? = nil, initials: InitialsPhotos = .none,
        _ change: (inout AvatarPipeline.Options) -> Void = { _ in }
    ) {
        var options = AvatarPipeline.Options()
        options.limits = limits
        options.timeout = nil
        options.queue.workers = jobs * (workers?.callersOfSlot ?? 1)
        options.openWorkers = jobs
        options.queue.room = max(4 * jobs, 8)
        options.workers = workers
        options.initials = initials
        change(&options)
        pipeline = AvatarPipeline(cache: cache, options)
        self.styles = pipeline.styles(styles)
        self.force = force
    }

    /// Photos that may be opened before the first of them is admitted to the draw queue.
    var window: Int { 4 * pipeline.options.queue.workers }

    /// Starts no further photo; running ones are finished.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// `completion` is called once, with nil if the photo was not started because of a stop; `admitted` once, when the
    /// next photo may be converted, see `AvatarPipeline.avatars`.
    func convert(
        _ item: ConversionPlan.Item, admitted: @escaping @Sendable () -> Void = {},
        completion: @escaping @Sendable (ConversionResult?) -> Void
    ) {
        let conversion = Conversion(item, closed)
        if let photo = item.input.shown(pipeline.options.initials) {
            return submit(photo, conversion, attempts: 3, admitted: admitted, completion: completion)
        }
        admitted()
        completion(conversion.result(of: .failure(.failed(AvatarFailure.noInitials))))
    }

    /// `attempts`: for a photo that another program changes between being opened and being drawn. A photo that cannot be
    /// drawn is a failure, which scripts look for; a contact whose initials cannot be drawn gets the silhouette.
    private func submit(
        _ photo: ShownPhoto, _ conversion: Conversion, attempts: Int, admitted: @escaping @Sendable () -> Void,
        completion: @escaping @Sendable (ConversionResult?) -> Void
    ) {
        var request = AvatarRequest(photo, styles: styles)
        request.output = output(of: conversion)
        pipeline.run(request, .wait, admitted: admitted) { [self] ended in
            if case .failure(.failed(let error)) = ended, error as? AvatarFailure == .changed, attempts > 1 {
                return submit(photo, conversion, attempts: attempts - 1, admitted: {}, completion: completion)
            }
            let initials = pipeline.options.initials
            guard photo.kind == .initials, let error = ended.undrawable, let next = photo.next(initials) else {
                return explain(conversion.result(of: ended), of: photo, as: conversion.item, completion: completion)
            }
            initials.note(AvatarFailure(error))
            submit(next, conversion, attempts: attempts, admitted: {}, completion: completion)
        }
    }

    /// Writes the picture that shows the crop, if one is wanted, on a thread of its own: the completions of the queues must not
    /// block.
    private func explain(
        _ result: ConversionResult?, of photo: ShownPhoto, as item: ConversionPlan.Item,
        completion: @escaping @Sendable (ConversionResult?) -> Void
    ) {
        guard let result, let crop = result.crop, let path = item.explanation else { return completion(result) }
        explaining.async { [self] in
            var result = result
            do {
                guard item.input.isRepeatable else { throw ReadOnce() }
                if !force, Self.isForeign(path) { throw ForeignFile(path: path) }
                let picture = try pipeline.picture(of: crop, for: photo.source)
                try AtomicFile.output(to: path) { _ = try $0.writeAll(picture) }
            } catch {
                result.status = .failed
                result.failure = result.failure ?? .init(error)
            }
            completion(result)
        }
    }

    private func output(of conversion: Conversion) -> AvatarOutput {
        let (item, styles, force) = (conversion.item, styles.styles, force)
        return AvatarOutput(isFresh: force) { crop in
            conversion.change { $0.crop = crop }
        } wanted: { recipes in
            conversion.change { result in
                result.outputs = zip(item.outputs, styles).map { .init(path: $0, style: $1, source: .kept, bytes: 0) }
            }
            return recipes.indices.filter { index in
                let path = item.outputs[index]
                if force { return true }
                if let head = Self.head(of: path, recipes[index]) {
                    conversion.note(avatar: head)
                    return false
                }
                // The other avatars are drawn; this photo counts as failed.
                guard Self.isForeign(path) else { return true }
                conversion.note(ForeignFile(path: path))
                return false
            }
        } write: { output, index in
            if !force, Self.isForeign(item.outputs[index]) { throw ForeignFile(path: item.outputs[index]) }
            let bytes = try Self.write(output, to: item.outputs[index])
            if output.isStored { conversion.note(avatar: output.bytes) }
            conversion.change { result in
                result.outputs[index].bytes = bytes
                result.outputs[index].source = output.isStored ? .cache : .rendered
            }
        } decoded: { info in
            conversion.change {
                $0.header = info.header
                $0.warnings = info.warnings
                if let record = info.crop { $0.crop = CropReport(record) }
            }
        } begin: { [self] isRepeatable in
            if isStopped.load(ordering: .relaxed), isRepeatable { throw Conversion.NotStarted.stopped }
            if closed.holdsAny(of: item.outputs) { throw Conversion.NotStarted.closed }
        } worked: { time in
            conversion.change { $0.milliseconds += time / .milliseconds(1) }
        }
    }

    /// The name in errors.
    static let standardOutput: FilePath = "standard output"

    /// Returns the number of written bytes.
    private static func write(_ output: CachingRenderer.Output, to path: FilePath) throws -> Int {
        let bytes = output.bytes
        if path == "-" {
            do {
                try FileDescriptor.standardOutput.writeAll(bytes)
            } catch let error as Errno { throw FileError(.write, path: Self.standardOutput, errno: error) }
        } else if case .stored(let entry) = output {
            try AtomicFile.output(to: path) { try entry.write(to: $0) }
        } else {
            try AtomicFile.output(to: path) { _ = try $0.writeAll(bytes) }
        }
        return bytes.count
    }

    /// Whether another program, or a person, made the file, or the pipe. An empty one holds nothing: it may keep the place of
    /// an avatar.
    private static func isForeign(_ path: FilePath) -> Bool {
        guard path != "-", let status = FileStatus(path), status.kind != .folder else { return false }
        return status.kind == .other || status.size > 0 && !AvatarRecipe.isMarked(file: path)
    }

    /// The first bytes of the file, with its texts, if it is an avatar with this recipe.
    private static func head(of path: FilePath, _ recipe: AvatarRecipe) -> [UInt8]? {
        if path == "-" { return nil }
        let head = AvatarRecipe.head(of: path, count: AvatarRecipe.longestHead)
        let isSame = head.withUnsafeBytes { AvatarRecipe(readingFrom: $0) } == recipe
        return isSame && AvatarRecipe.isWhole(file: path, head: head) ? head : nil
    }
}

/// The file of an avatar exists, and Tondo did not make it: no recipe is in it.
struct ForeignFile: Error, CustomStringConvertible {
    let path: FilePath

    static let code = "file-foreign"

    var description: String {
        "\(path) exists and is not an avatar that Tondo made; rename it, name another --output, or replace it by --force"
    }
}

/// One photo while it is converted.
private final class Conversion: Sendable {
    /// Why a photo is not started.
    enum NotStarted: Error { case stopped, closed }

    let item: ConversionPlan.Item
    private let closed: ClosedFolders
    private let state: Mutex<ConversionResult>

    init(_ item: ConversionPlan.Item, _ closed: ClosedFolders) {
        self.item = item
        self.closed = closed
        state = Mutex(ConversionResult(input: item.input, status: .done))
    }

    /// The first one that was not replaced.
    private let foreign = Mutex<ForeignFile?>(nil)

    func change(_ body: (inout ConversionResult) -> Void) { state.withLock { body(&$0) } }

    func note(_ file: ForeignFile) { foreign.withLock { $0 = $0 ?? file } }

    /// An avatar that was not drawn now says which part of the photo it shows, unless that is known.
    func note(avatar bytes: [UInt8]) {
        change { $0.crop = $0.crop ?? CropRecord(ofAvatar: bytes).map { CropReport($0) } }
    }

    /// Nil: it was not started.
    func result(of ended: Result<[Avatar], JobError>) -> ConversionResult? {
        var result = state.withLock { $0 }
        switch ended {
        case .success:
            if let foreign = foreign.withLock({ $0 }) {
                fail(&result, foreign)
            } else if !result.outputs.contains(where: \.isWritten) {
                result.status = .skipped
            }
        case .failure(.failed(NotStarted.stopped)): return nil
        case .failure(.failed(NotStarted.closed)): return ConversionResult(input: item.input, status: .left)
        case .failure(.failed(let error)): fail(&result, error)
        case .failure(let error): fail(&result, error)
        }
        return result
    }

    private func fail(_ result: inout ConversionResult, _ error: any Error) {
        result.status = item.input.isStray(error) ? .ignored : .failed
        result.failure = .init(error)
        let isRepeated = (error as? FileError).map { closed.note($0) == false } ?? false
        result.failure?.isRepeated = isRepeated
        result.outputs.removeAll { !$0.isWritten }
        if result.outputs.isEmpty { result.crop = nil }
        // It was being drawn, or lay in a worker's socket, when its folder turned out to take no file: nothing of it is
        // there, as if it had not been started.
        if isRepeated, result.outputs.isEmpty { result = ConversionResult(input: item.input, status: .left) }
    }
}

extension CachingRenderer.Output {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .stored(let entry): entry.avatar.bytes
        case .drawn(let bytes, _): bytes
        }
    }

    fileprivate var isStored: Bool {
        if case .stored = self { true } else { false }
    }
}

extension Result<[Avatar], JobError> {
    /// Why the photo gave no avatar, if that is a fault of the photo or its decoder.
    fileprivate var undrawable: (any Error)? {
        switch self {
        case .failure(.failed(let error)): error is RenderError || error is NegativeEntryError ? error : nil
        case .failure(.timedOut(let limit)): JobError.timedOut(after: limit)
        default: nil
        }
    }
}
