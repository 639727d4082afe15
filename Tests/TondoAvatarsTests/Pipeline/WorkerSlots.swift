import Dispatch
import PlantedFaults
import TondoContacts
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars
@testable import TondoRender

/// Pipelines whose photos are drawn by programs with planted faults, in the least of everything: one drawing at once, queues with
/// room for one, and one HEIC photo at once.
enum WorkerSlots {
    /// `programs`: in the place of those with faults.
    static func workers(_ programs: [WorkerKind: String] = [:]) throws -> RenderWorkers {
        var options = RenderWorkers.Options(
            program: try programs[.standard] ?? BuiltProgram.path("RenderFaults"), limits: Limits())
        options.programs = [
            .heif: try programs[.heif] ?? BuiltProgram.path("RenderFaultsHEIF"),
            .text: try programs[.text] ?? BuiltProgram.path("RenderFaultsText"),
        ]
        options.slots = 1
        // A busy machine starts none within the usual time.
        options.start = .seconds(120)
        return RenderWorkers(options: options)
    }

    static func options(_ workers: RenderWorkers, drawings: Int = 1) -> AvatarPipeline.Options {
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.queue.depth, options.queue.room, options.openDepth) = (drawings, 1, 1, 1)
        options.workers = workers
        // A photo that needs sixteen workers: on a busy machine, starting so many takes longer than the usual time.
        options.timeout = .seconds(600)
        // On a busy machine a worker can need longer to start than others may be idle: tests count those that started.
        options.idle = .seconds(600)
        options.initials = InitialsRule.tondo.photos(by: workers) { _ in }
        return options
    }
}

/// One photo of each format.
enum AnyFormat: String, CaseIterable {
    case png, gif, webp, heic, avif

    var bytes: [UInt8] {
        get throws {
            switch self {
            case .png: SmallBook.image(50)
            case .gif: try fixture("decodes-like-reference/gif-16-colours.gif")
            case .webp: try fixture("decodes-like-reference/webp-lossy-quality-100.webp")
            case .heic: try fixture("heif/heic-plain.heic")
            case .avif: try fixture("heif/avif-plain.avif")
            }
        }
    }

    func bytes(with fault: PlantedFault) throws -> [UInt8] {
        fault.added(to: try bytes, isInBox: self == .heic || self == .avif)
    }

    private func fixture(_ name: String) throws -> [UInt8] { [UInt8](try Repository.data("Tests/Fixtures/" + name)) }
}
