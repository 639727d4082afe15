import Logging
import Synchronization
import TondoAvatars
import TondoServer
import TondoSettings

/// Applies a changed configuration while the service runs: completely, or not at all if it has an error.
final class Reloading: Sendable {
    private let source: SettingsSource
    private let components: ServiceComponents
    private let current: CurrentService
    private let configuration: Mutex<ServiceConfiguration>

    init(
        _ source: SettingsSource, _ configuration: ServiceConfiguration, _ components: ServiceComponents,
        _ current: CurrentService
    ) {
        (self.source, self.components, self.current) = (source, components, current)
        self.configuration = Mutex(configuration)
    }

    /// Blocks to read a small file. Books that are served already, in the same styles, are not loaded again: they are
    /// watched anyway.
    func reload() -> [SettingsProblem] {
        let (new, problems) = Self.read(source)
        guard problems.isEmpty else { return problems }
        let old = configuration.withLock { $0 }
        do throws(SettingsProblem) { current.replace(try components.service(new)) } catch { return [error] }
        configuration.withLock { $0 = new }
        components.log.level = new.logLevel
        components.take(limitsOf: new)
        if new.openAreas != old.openAreas || new.isExposed != old.isExposed { components.report(accessOf: new) }
        for key in new.fixed(against: old) {
            components.logger.warning("a new \(key.rawValue) takes effect at the next start")
        }
        let isUnreadable = components.addressBooks.progress.contains { $0.problem != nil }
        if new.books != old.books || new.prepared != old.prepared || isUnreadable {
            components.addressBooks.serve(new.books, styles: new.prepared)
        }
        return []
    }

    /// The configuration and the plan made from it, with the problems of both.
    static func read(_ source: SettingsSource) -> (configuration: ServiceConfiguration, problems: [SettingsProblem]) {
        let reading = source.read()
        let (configuration, problems) = ServiceConfiguration.read(reading.settings, home: source.environment["HOME"])
        return (configuration, reading.problems + problems)
    }
}
