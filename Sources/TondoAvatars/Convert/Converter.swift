internal import Glibc
internal import SystemPackage
package import TondoCache
internal import TondoFiles
package import TondoImage

/// Converts one photo at a time: read -> digest -> skip existing avatars -> cache or draw -> write. Usable from any
/// thread; blocks it. Once a folder takes no more files, photos with that output folder are not started.
package struct Converter: Sendable {
    private let source: CachingRenderer
    private let limits: Limits
    /// Draw avatars that already exist, or that are in the cache.
    private let force: Bool
    private let closed = ClosedFolders()

    package init(styles: [Style], limits: Limits, force: Bool, cache: AvatarCache? = nil) {
        source = CachingRenderer(styles: styles, limits: limits, cache: cache)
        self.limits = limits
        self.force = force
    }

    package func convert(_ item: ConversionPlan.Item) -> ConversionResult {
        let clock = ContinuousClock()
        let start = clock.now
        if closed.holdsAny(of: item.outputs) { return ConversionResult(input: item.input, status: .left) }
        var result = ConversionResult(input: item.input, status: .done)
        do {
            try draw(item, into: &result)
        } catch {
            result.status = item.input.isStray(error) ? .ignored : .failed
            result.failure = .init(error)
            // Photos that were being drawn when their folder became full report the same error.
            if let error = error as? FileError { result.failure?.isRepeated = closed.note(error) == false }
            result.outputs.removeAll { !$0.isWritten }
        }
        result.milliseconds = (clock.now - start) / .milliseconds(1)
        return result
    }

    private func draw(_ item: ConversionPlan.Item, into result: inout ConversionResult) throws {
        let (file, crop) = try open(item.input.source)
        defer { withExtendedLifetime(file) {} }
        let subject = CachingRenderer.Subject(
            photo: Photo(file.bytes, isMapped: file.isMapped, crop: crop), digest: PhotoDigest(file),
            contact: item.input.contact)
        let recipes = try source.recipes(for: subject)
        result.outputs = zip(item.outputs, source.renderer.styles).map {
            .init(path: $0, style: $1, source: .kept, bytes: 0)
        }
        let wanted = recipes.indices.filter { force || !Self.holds(item.outputs[$0], recipes[$0]) }
        guard !wanted.isEmpty else {
            result.status = .skipped
            return
        }
        let info = try source.make(wanted, of: subject, recipes: recipes, isFresh: force) { output, i in
            result.outputs[i].bytes = try Self.write(output, to: item.outputs[i])
            result.outputs[i].source = output.isStored ? .cache : .rendered
        }
        if let info { (result.header, result.warnings) = (info.header, info.warnings) }
    }

    private func open(_ source: ConversionInput.Source) throws -> (file: PhotoFile, crop: CropRectangle?) {
        switch source {
        case .file(let path): (try PhotoFile.open(path, limit: limits.maxMemory), nil)
        case .standardInput: (try PhotoFile.standardInput(limit: limits.maxMemory), nil)
        case .contact(let person): try person.open(limit: limits.maxMemory)
        }
    }

    /// Returns the number of written bytes.
    private static func write(_ output: CachingRenderer.Output, to path: FilePath) throws -> Int {
        let png = output.png
        if path == "-" {
            do {
                try FileDescriptor.standardOutput.writeAll(png)
            } catch let error as Errno { throw FileError(.write, "standard output", error) }
        } else if case .stored(let entry) = output {
            try AtomicFile.write(to: path) { try entry.write(to: $0) }
        } else {
            try AtomicFile.write(png, to: path)
        }
        return png.count
    }

    /// Whether the file is an avatar with this recipe.
    private static func holds(_ path: FilePath, _ recipe: AvatarRecipe) -> Bool {
        path != "-" && AvatarRecipe(ofFile: path) == recipe
    }
}

extension CachingRenderer.Output {
    fileprivate var png: [UInt8] {
        switch self {
        case .stored(let entry): entry.avatar.png
        case .drawn(let png, _): png
        }
    }

    fileprivate var isStored: Bool {
        if case .stored = self { true } else { false }
    }
}
