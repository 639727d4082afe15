package import TondoImage

/// The end of a request.
package struct RenderEnding: Sendable, Equatable {
    /// The duration of one step, which the worker measured.
    package struct Step: Sendable, Equatable {
        package var step: DrawingStep
        package var time: Duration

        package init(step: DrawingStep, time: Duration) {
            self.step = step
            self.time = time
        }
    }

    /// Its header is without the colour profile. A worker sends the first `mostWarnings` of its warnings.
    package var photo: PhotoInfo
    /// In the order in which they ended; a step is in it once for each style that needed it.
    package var steps: [Step]
    /// Bytes that the worker's allocator holds.
    package var held: Int

    package init(photo: PhotoInfo, steps: [Step], held: Int) {
        self.photo = photo
        self.steps = steps
        self.held = held
    }

    static let longest = 2 << 20

    /// The body of a frame of the kind `done`.
    package var bytes: [UInt8] {
        var writer = WireWriter()
        photo.header.write(to: &writer)
        // The supervisor refuses longer lists, and a photo can cause any number of warnings.
        writer.put(Array(photo.warnings.prefix(Self.mostWarnings))) { $1.write(to: &$0) }
        writer.put(photo.crop) { $0.put($1.text) }
        writer.put(Array(steps.prefix(Self.mostSteps))) { writer, step in
            writer.put(UInt8(DrawingStep.allCases.firstIndex(of: step.step) ?? 0))
            let (seconds, attoseconds) = step.time.components
            writer.put(Int(clamping: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
        }
        writer.put(held)
        return writer.bytes
    }

    /// Reads the body of a frame. Throws for everything that no worker writes: a worker is not trusted.
    package init(_ bytes: [UInt8]) throws(WireError) {
        var reader = WireReader(bytes)
        photo = PhotoInfo(header: try ImageHeader(from: &reader))
        photo.warnings = try reader.list(limit: Self.mostWarnings) { reader throws(WireError) in
            try Warning(from: &reader)
        }
        photo.crop = try reader.optional { reader throws(WireError) in
            guard let crop = CropRecord(try reader.text(limit: CropRecord.longestText)) else {
                throw WireError("not a crop")
            }
            return crop
        }
        steps = try reader.list(limit: Self.mostSteps) { reader throws(WireError) in
            let step = try reader.oneOf(DrawingStep.allCases)
            return Step(step: step, time: .nanoseconds(try reader.number(in: 0...1 << 50)))
        }
        held = try reader.number(in: 0...1 << 48)
        try reader.end()
    }

    private static let mostWarnings = 64
    private static let mostSteps = 8 * RenderSetup.mostStyles
}

/// What a worker sends first.
package enum WorkerGreeting: Sendable, Equatable {
    /// Every layer that the kernel offers is applied. `landlock`: its version; 0: the kernel has none.
    case ready(landlock: Int)
    /// This layer could not be applied, for this reason. The face model counts as one: the supervisor counts on it.
    case refused(layer: String, reason: String)

    static let longest = 256

    var bytes: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .ready(let landlock): writer.put(landlock)
        case .refused(let layer, let reason):
            writer.put(layer)
            writer.put(reason)
        }
        return writer.bytes
    }

    init(kind: Frame.Kind, bytes: [UInt8]) throws(WireError) {
        var reader = WireReader(bytes)
        switch kind {
        case .ready: self = .ready(landlock: try reader.number(in: 0...1_000))
        case .refused:
            self = .refused(layer: try reader.text(limit: 64), reason: try reader.text(limit: 160))
        default: throw WireError("not a greeting")
        }
        try reader.end()
    }
}

/// One encoded avatar: the bytes of its file alone, since a worker answers in the order of the request.
enum AvatarFrame {
    /// Bytes that an avatar of this side may have, with its text.
    static func longest(side: Int) -> Int { side * (side * 4 + 1) * 101 / 100 + 65_536 }
}
