import Glibc
import Logging
import Synchronization
import SystemPackage

/// The log of the service: lines on standard error, with priorities for systemd's journal (sd-daemon(3)) if it reads
/// them. The level can change while the service runs.
final class ServiceLog: Sendable {
    private let threshold: Mutex<Logger.Level>
    private let isJournal: Bool

    init(_ level: Logger.Level, isJournal: Bool) {
        threshold = Mutex(level)
        self.isJournal = isJournal
    }

    var level: Logger.Level {
        get { threshold.withLock { $0 } }
        set { threshold.withLock { $0 = newValue } }
    }

    /// A logger with this log's level.
    var logger: Logger { Logger(label: "tondo", factory: { _ in Handler(log: self) }) }

    /// Whether `JOURNAL_STREAM` means standard error of this process: child processes of a service inherit the
    /// variable.
    static func isJournal(_ environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"], let status = try? FileDescriptor.standardError.stat() else {
            return false
        }
        return stream == "\(status.deviceID.rawValue):\(status.inode.rawValue)"
    }

    fileprivate func write(_ level: Logger.Level, message: String, metadata: Logger.Metadata) {
        let details = metadata.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        // Names of contacts and files may contain control characters, also in the journal.
        let text = Terminal.printable(details.isEmpty ? message : "\(message) (\(details))")
        if isJournal {
            Terminal.write("<\(Self.priority(level))>\(text)\n")
        } else {
            Terminal.write("tondo: \(level >= .warning ? "\(level): " : "")\(text)\n")
        }
    }

    /// The priority of a level in syslog(3).
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    private struct Handler: LogHandler {
        let log: ServiceLog
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel: Logger.Level {
            get { log.level }
            // All loggers share one level, which the configuration sets.
            set {}
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.write(
                event.level, message: "\(event.message)", metadata: metadata.merging(event.metadata ?? [:]) { $1 })
        }
    }
}
