/// The settings by their names in the file. The environment variable is `TONDO_` and the name in capitals.
package enum SettingKey: String, CaseIterable, Sendable {
    case books, listen, socket, hosts, round, jobs, connections, events
    case openAreas = "public"
    case maxAge = "avatar-max-age"
    case fallbackHosts = "fallback-hosts"
    case eventsSize = "events-max-size"
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
        case .books, .listen, .hosts, .openAreas, .fallbackHosts: .list
        case .socket, .cacheFolder, .tokenFile: .text
        case .round: .flag
        // Seconds; a year at most.
        case .maxAge: .number(0...31_536_000)
        case .jobs: .number(0...256)
        case .connections: .number(1...8_192)
        case .events: .number(1...1_000_000)
        case .cacheSize, .eventsSize: .bytes
        case .logLevel: .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"])
        }
    }

    /// The values of a setting with a closed list of them; else none.
    package var choices: [String] { if case .choice(let values) = kind { values } else { [] } }

    /// The default; nil: none.
    package var builtIn: SettingValue? {
        switch self {
        case .books, .hosts, .openAreas, .fallbackHosts: .list([])
        case .listen: .list(["127.0.0.1:7380"])
        case .socket, .cacheFolder, .tokenFile: nil
        case .round: .flag(false)
        case .maxAge: .number(300)
        // 0: the number of processors.
        case .jobs: .number(0)
        case .connections: .number(8_192)
        case .events: .number(10_000)
        case .eventsSize: .number(8_000_000)
        case .cacheSize: .number(1 << 30)
        case .logLevel: .text("info")
        }
    }

    /// Former settings without an effect: they are reported and ignored.
    static let obsolete: Set<String> = ["privacy"]

    /// Without its hyphens. The flag of a list setting is in the singular.
    package var flagName: String { self == .hosts ? "host" : rawValue }

    package var environmentName: String { "TONDO_" + rawValue.uppercased().map { $0 == "-" ? "_" : "\($0)" }.joined() }
}
