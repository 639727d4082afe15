internal import Glibc
package import TondoImage
package import TondoRender

/// The real program of one kind of worker, whose path is in the variable of that kind. It is not instrumented: its limits leave
/// no room for AddressSanitizer.
package struct FuzzedWorkers: Sendable {
    private static let setup = RenderSetup(styles: Fuzzing.styles, limits: Fuzzing.limits)
    private static let avatars = Fuzzing.styles.indices.map {
        RenderRequest.Avatar(index: $0, keyword: "k", text: "style \($0)")
    }
    private let workers: RenderWorkers

    package init(_ kind: WorkerKind) {
        guard let program = getenv(kind.variable) else { fatalError("\(kind.variable) is not set") }
        var options = RenderWorkers.Options(program: String(cString: program), limits: Fuzzing.limits)
        options.programs[kind] = options.program
        workers = RenderWorkers(options: options)
    }

    /// By the program. `format`: chooses it, as a photo's does.
    package func draw(_ photo: UnsafeRawBufferPointer, as format: ImageHeader.Format = .jpeg) -> FuzzedDrawing {
        FuzzedDrawing { body in
            try workers.draw(
                Self.avatars, with: Self.setup, of: .bytes(photo), format: format, crop: nil, within: .seconds(8),
                body: body)
        }
    }

    /// In this process, which is instrumented.
    package static func drawHere(
        _ photo: UnsafeRawBufferPointer, by renderer: AvatarRenderer = Fuzzing.renderer
    ) -> FuzzedDrawing {
        FuzzedDrawing { body in
            try renderer.encode(
                Photo(photo), styles: Array(avatars.indices), text: { (keyword: "k", value: avatars[$0].text) },
                body: body)
        }
    }

    /// Both must give the same, and the program must never end by itself.
    package func compare(
        _ photo: UnsafeRawBufferPointer, as format: ImageHeader.Format = .jpeg,
        by renderer: AvatarRenderer = Fuzzing.renderer
    ) {
        let inWorker = draw(photo, as: format)
        let counters = workers.counters
        Fuzzing.require(counters.crashed + counters.killed + counters.late == 0, "a worker ended: \(counters)")
        // Data that need more than a process may have: this one has no such limit.
        if case .overMemory(.max, _) = inWorker.error?.error { return }
        let differences = inWorker.differences(from: Self.drawHere(photo, by: renderer))
        Fuzzing.require(differences.isEmpty, "the worker and this process disagree: \(differences)")
    }
}

/// What came out of drawing a photo.
package struct FuzzedDrawing: Equatable {
    private var avatars: [[UInt8]] = []
    private var header: ImageHeader?
    private var warnings: [Warning] = []
    package private(set) var error: RenderError?

    fileprivate init(
        _ draw: (([UInt8], Int) throws -> Void) throws -> PhotoInfo
    ) {
        do {
            let info = try draw { png, _ in avatars.append(png) }
            (header, warnings) = (info.header, info.warnings)
            // Only decoders need these, so no worker sends them.
            header?.profile = .none
            header?.png = ImageHeader(format: .png, width: 0, height: 0).png
            header?.lateHeight = nil
            header?.webP = nil
            header?.gif = nil
            header?.initials = nil
        } catch let error as RenderError { self.error = error } catch { fatalError("\(error)") }
    }

    fileprivate func differences(from other: FuzzedDrawing) -> [String] {
        var found = avatars == other.avatars ? [] : ["the avatars"]
        if header != other.header { found.append("\(header as Any), \(other.header as Any)") }
        if warnings != other.warnings { found.append("\(warnings), \(other.warnings)") }
        if error != other.error { found.append("\(error as Any), \(other.error as Any)") }
        return found
    }
}
