private import FuzzSupport
private import Glibc
private import TondoImage
private import TondoRender

// Photos through the program `tondo-render`, whose path is in TONDO_RENDER. The program is not instrumented: its limits
// leave no room for AddressSanitizer. It must give what drawing in this process gives, and it must never end by itself.
exit(
    Fuzzing.run { bytes, count in
        Sandbox.compare(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    })

private enum Sandbox {
    static let workers: RenderWorkers = {
        guard let program = getenv("TONDO_RENDER") else { fatalError("TONDO_RENDER is not set") }
        return RenderWorkers(.init(program: String(cString: program), limits: Fuzzing.limits))
    }()
    static let setup = RenderSetup(styles: Fuzzing.styles, limits: Fuzzing.limits)
    static let avatars = Fuzzing.styles.indices.map {
        RenderRequest.Avatar(index: $0, keyword: "k", text: "style \($0)")
    }

    struct Outcome {
        var avatars: [[UInt8]] = []
        var header: ImageHeader?
        var warnings: [Warning] = []
        var error: RenderError?

        func differences(from other: Outcome) -> [String] {
            var found = avatars == other.avatars ? [] : ["the avatars"]
            if header != other.header { found.append("\(header as Any), \(other.header as Any)") }
            if warnings != other.warnings { found.append("\(warnings), \(other.warnings)") }
            if error != other.error { found.append("\(error as Any), \(other.error as Any)") }
            return found
        }
    }

    static func compare(_ photo: UnsafeRawBufferPointer) {
        let inWorker = outcome { body in
            try workers.draw(avatars, setup, of: .bytes(photo), crop: nil, within: .seconds(10), body: body)
        }
        let inProcess = outcome { body in
            try Fuzzing.renderer.encode(
                Photo(photo), styles: Array(avatars.indices), text: { (keyword: "k", value: avatars[$0].text) },
                body: body)
        }
        let differences = inWorker.differences(from: inProcess)
        Fuzzing.require(differences.isEmpty, "the worker and this process disagree: \(differences)")
        let counters = workers.counters
        Fuzzing.require(counters.crashed + counters.killed + counters.late == 0, "a worker ended: \(counters)")
    }

    static func outcome(
        _ draw: (([UInt8], Int) throws -> Void) throws -> (header: ImageHeader, warnings: [Warning])
    ) -> Outcome {
        var outcome = Outcome()
        do {
            let info = try draw { png, _ in outcome.avatars.append(png) }
            (outcome.header, outcome.warnings) = (info.header, info.warnings)
            // Only decoders need these, so no worker sends them.
            outcome.header?.profile = .none
            outcome.header?.webP = nil
            outcome.header?.gif = nil
        } catch let error as RenderError { outcome.error = error } catch { fatalError("\(error)") }
        return outcome
    }
}
