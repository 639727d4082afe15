import ArgumentParser
import Glibc
import TondoAvatars
import TondoCache
import TondoContacts
import TondoImage
import TondoJobs
import TondoRender

extension Sandbox: WordArgument {}

/// Where a command decodes photos.
struct SandboxOption: ParsableArguments {
    @Option(help: ArgumentHelp("Whether photos are decoded in confined processes.", valueName: "on|off"))
    var sandbox = Sandbox.on

    /// With the sandbox off.
    var faceDetector: FaceDetector? { sandbox.faceDetector(environment: Self.environment) }

    /// For the avatars of one contact at a time.
    func pipeline(_ cache: AvatarCache, initials: InitialsRule, limits: Limits = Limits()) throws -> AvatarPipeline {
        var options = AvatarPipeline.Options()
        options.limits = limits
        options.queue.workers = 1
        options.workers = try workers(limits, slots: 1)
        options.faces = faceDetector
        options.initials = initials.photos(by: options.workers) { InitialsOption.warn($0) }
        return AvatarPipeline(cache: cache, options)
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The processes, or nil with a warning if the sandbox is off. Ends the command if none can be started.
    /// `slots`: photos that are drawn at once; `isAhead`: see `RenderWorkers.Options`.
    func workers(_ limits: Limits, slots: Int, isAhead: Bool = false) throws -> RenderWorkers? {
        if sandbox == .off { Terminal.reportError("warning: the sandbox is off: photos are decoded in this process") }
        do {
            let workers = try sandbox.workers(
                limits: limits, slots: slots, isAhead: isAhead, environment: Self.environment)
            if let faces = workers?.faces { FaceModelWarning.warn(of: faces) }
            return workers
        } catch {
            Terminal.reportError("\(error); '--sandbox off' decodes photos in this process")
            throw ExitCode.unavailable
        }
    }
}
