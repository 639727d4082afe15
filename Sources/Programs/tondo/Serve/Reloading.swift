import Logging
import Synchronization
import SystemPackage
import TondoConfiguration
import TondoMirror
import TondoServer

/// Applies a changed configuration while the service runs: completely, or not at all if it has an error.
final class Reloading: Sendable {
    private let source: ConfigurationSource
    private let components: ServiceComponents
    private let current: CurrentService
    private let configuration: Mutex<ServiceConfiguration>

    init(
        source: ConfigurationSource, configuration: ServiceConfiguration, components: ServiceComponents,
        current: CurrentService
    ) {
        self.source = source
        self.components = components
        self.current = current
        self.configuration = Mutex(configuration)
    }

    /// The mirror that is this book.
    func mirror(_ book: FilePath) -> MirrorLayout? {
        configuration.withLock { $0 }.mirrors.first { $0.cards == book }
    }

    /// Blocks to read a small file. Books that are served already, in the same styles, are not loaded again: they are
    /// watched anyway.
    func reload() -> [SettingsProblem] {
        let reading = source.read()
        guard reading.problems.isEmpty else { return reading.problems }
        let new = reading.configuration
        let old = configuration.withLock { $0 }
        // First, as the only step that can fail: nothing else has changed by then.
        do throws(SettingsProblem) { current.replace(try components.service(new)) } catch { return [error] }
        configuration.withLock { $0 = new }
        components.log.level = new.logLevel.value
        components.take(limitsOf: new)
        if new.openAreas.value != old.openAreas.value || new.isExposed != old.isExposed {
            components.report(accessOf: new)
        }
        for name in new.namesNeedingRestart(against: old) {
            components.logger.warning("a new \(name) takes effect at the next start")
        }
        // A reload retries unreadable books at once, without their back-off.
        let isUnreadable = components.addressBooks.progress.contains { $0.problem != nil }
        if new.servedBooks != old.servedBooks || new.preparedStyles != old.preparedStyles || isUnreadable {
            components.eventSharing?.serve(new.servedBooks)
            components.addressBooks.serve(new.servedBooks, styles: new.preparedStyles)
        }
        return []
    }
}
