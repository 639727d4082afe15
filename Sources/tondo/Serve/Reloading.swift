import Logging
import Synchronization
import TondoAvatars
import TondoServer
import TondoSettings

/// Applies a changed configuration while the service runs: completely, or not at all if it has an error.
final class Reloading: Sendable {
    private let source: SettingsSource
    private let parts: ServiceParts
    private let current: CurrentService
    private let plan: Mutex<ServicePlan>

    init(_ source: SettingsSource, _ plan: ServicePlan, _ parts: ServiceParts, _ current: CurrentService) {
        (self.source, self.parts, self.current) = (source, parts, current)
        self.plan = Mutex(plan)
    }

    /// Blocks to read a small file. Books that are served already, in the same styles, are not loaded again: they are
    /// watched anyway.
    func reload() -> [SettingsProblem] {
        let (new, problems) = Self.read(source)
        guard problems.isEmpty else { return problems }
        let old = plan.withLock { $0 }
        do throws(SettingsProblem) { current.replace(try parts.service(new)) } catch { return [error] }
        plan.withLock { $0 = new }
        parts.log.level = new.logLevel
        parts.take(limitsOf: new)
        if new.openAreas != old.openAreas || new.isExposed != old.isExposed { parts.report(accessOf: new) }
        for key in new.fixed(against: old) {
            parts.logger.warning("a new \(key.rawValue) takes effect at the next start")
        }
        let isUnreadable = parts.library.progress.contains { $0.problem != nil }
        if new.books != old.books || new.prepared != old.prepared || isUnreadable {
            parts.library.serve(new.books, styles: new.prepared)
        }
        return []
    }

    /// The configuration and the plan made from it, with the problems of both.
    static func read(_ source: SettingsSource) -> (plan: ServicePlan, problems: [SettingsProblem]) {
        let reading = source.read()
        let (plan, problems) = ServicePlan.read(reading.settings, home: source.environment["HOME"])
        return (plan, reading.problems + problems)
    }
}
