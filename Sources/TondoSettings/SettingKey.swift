/// What can be set, by its name in the file. The environment has it as `TONDO_` and the name in capitals.
package enum SettingKey: String, CaseIterable, Sendable {
    case books, listen, socket, hosts, privacy, round, jobs, connections, events
    case fallbackHosts = "fallback-hosts"
    case cacheFolder = "cache-dir"
    case cacheSize = "cache-max-size"
    case tokenFile = "token-file"
    case logLevel = "log-level"

    package enum Kind: Equatable, Sendable {
        case text
        case list
        case flag
        case number(ClosedRange<Int>)
        /// A number of bytes: `500MB`, `1GiB` or digits alone.
        case bytes
        case choice([String])
    }

    package var kind: Kind {
        switch self {
        case .books, .listen, .hosts, .fallbackHosts: .list
        case .socket, .cacheFolder, .tokenFile: .text
        case .privacy, .round: .flag
        case .jobs: .number(0...256)
        case .connections: .number(1...8_192)
        case .events: .number(1...1_000_000)
        case .cacheSize: .bytes
        case .logLevel: .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"])
        }
    }

    /// What holds when nobody says anything; nil: nothing does.
    package var builtIn: SettingValue? {
        switch self {
        case .books, .hosts, .fallbackHosts: .list([])
        case .listen: .list(["127.0.0.1:7380"])
        case .socket, .cacheFolder, .tokenFile: nil
        case .privacy, .round: .flag(false)
        // 0: as many as there are processors.
        case .jobs: .number(0)
        case .connections: .number(8_192)
        case .events: .number(10_000)
        case .cacheSize: .number(1 << 30)
        case .logLevel: .text("info")
        }
    }

    /// Without its hyphens. A name that may be given several times is in the singular.
    package var flagName: String { self == .hosts ? "host" : rawValue }

    package var environmentName: String { "TONDO_" + rawValue.uppercased().map { $0 == "-" ? "_" : "\($0)" }.joined() }
}
