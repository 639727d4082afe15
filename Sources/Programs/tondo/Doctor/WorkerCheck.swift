import TondoAvatars
import TondoConfiguration
import TondoImage
import TondoRender

/// The confined processes of a configuration, one of each installed kind started and ended.
struct WorkerCheck {
    /// Nil: the sandbox is off, or no process can be started.
    let workers: RenderWorkers?
    /// The first one that cannot be started.
    private(set) var failure: WorkerFailure?

    /// Blocks for ten seconds a kind at most.
    init(_ configuration: ServiceConfiguration) {
        do throws(WorkerFailure) {
            workers = try configuration.sandbox.value.workers(limits: Limits(), slots: 1) {
                configuration.environment[$0]
            }
        } catch {
            workers = nil
            failure = error
        }
        // A program that is not installed is no error: photos in its formats are refused by name.
        for kind in WorkerKind.allCases where kind != .standard && workers?.isInstalled(kind) == true && failure == nil
        {
            do throws(WorkerFailure) { try workers?.prepare(kind) } catch { failure = error }
        }
    }
}
