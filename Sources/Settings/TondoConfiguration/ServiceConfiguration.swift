package import Logging
package import SystemPackage
package import TondoAvatars
internal import TondoCache
package import TondoEndpoints
internal import TondoImage
package import TondoRedis

/// The settings of the service: each one with its names, type, range, default, help text, value and origin. The
/// environment variable is `TONDO_` and the name in capitals.
package struct ServiceConfiguration: Sendable {
    /// What is served, in the order in which contacts are listed; the mirrors of `tondo sync` follow.
    package var books = Setting("books", .paths(), help: "Folders of vCards, or book files.", argument: "book")
    /// Whether the service waits for its first readable book; otherwise it ends.
    package var waitsForBooks = Setting(
        "wait-for-books", .flag(default: false), needsRestart: true,
        help: "Without a readable book, wait for one instead of ending.")
    /// The default accepts connections from this machine only.
    package var listen = Setting(
        "listen", .addresses(default: standardAddress), needsRestart: true,
        help: "The address to listen on (default: \(standardAddress)); repeatable. Port 0 takes a free port.",
        argument: "host:port")
    /// At most 107 bytes (unix(7)); nil: none.
    package var socket = Setting(
        "socket", .socket(), needsRestart: true, help: "A Unix socket to listen on, in addition.", argument: "path")
    /// Whether phones of the local network are let in, with codes.
    package var isPhone = Setting(
        "phone", .flag(default: false), needsRestart: true,
        help: "Listen for phones in the local network, too, and print a code that lets one in.")
    /// Nil: the usual one, or any if that is taken.
    package var phonePort = Setting(
        "phone-port", .number(1...65_535), needsRestart: true,
        help: "The port for phones (default: 7381, or a free one).", argument: "port")
    /// In lower case and without ports. A request whose `Host` is neither one of these nor a loopback name is refused.
    package var hosts = Setting(
        "hosts", flag: "host", .hosts(ports: true), help: "A host name of the service besides localhost; repeatable.",
        argument: "name")
    /// Whether Gravatar requests get round avatars by default.
    package var isRound = Setting("round", .flag(default: false))
    /// The quality of avatars for clients that accept WebP.
    package var webPQuality = Setting(
        "webp-quality", .number(AvatarFormat.qualities, default: AvatarFormat.usualQuality))
    /// 0: the number of processors, 16 at most.
    package var jobs = Setting(
        "jobs", .number(0...256, default: 0), needsRestart: true,
        help: "Number of photos drawn in parallel (default: the number of cores).")
    /// Without confined processes, a fault of a decoder reaches the whole service.
    package var sandbox = Setting(
        "sandbox", .choice(default: Sandbox.on), needsRestart: true,
        help: "Whether photos are decoded in confined processes: on, off (default: on).", argument: "on|off")
    /// The letters of contacts without a usable photo; off: they get the silhouette.
    package var initials = Setting(
        "initials", .choice(default: InitialsRule.tondo), needsRestart: true,
        help: "The rule for the initials of contacts without a photo; off: a silhouette (default: tondo).",
        argument: "rule")
    /// Open connections of all listeners together. A lower limit of open files allows fewer.
    package var connections = Setting("connections", .number(1...8_192, default: 8_192))
    /// Events kept for replay.
    package var events = Setting("events", .number(1...1_000_000, default: 10_000), needsRestart: true)
    /// What `RequestGuard` permits to other machines without the token; empty: public avatars and health checks alone.
    package var openAreas = Setting(
        "public", .areas(),
        help: "Areas that other machines can read without the token: \(ServiceArea.list); repeatable.",
        argument: "area")
    /// Seconds; a year at most.
    package var maxAge = Setting("avatar-max-age", .number(0...31_536_000, default: 300))
    /// Hosts to which a Gravatar default may redirect.
    package var fallbackHosts = Setting("fallback-hosts", .hosts(ports: false))
    /// Bytes of the kept events.
    package var eventsSize = Setting("events-max-size", .bytes(default: 8_000_000), needsRestart: true)
    /// Nil: `standardCacheFolder`.
    package var cacheFolder = Setting(
        "cache-dir", .path(), needsRestart: true, help: "The cache folder.", argument: "folder")
    /// Bytes of all entries and negative entries together.
    package var cacheSize = Setting(
        "cache-max-size", .bytes(default: AvatarCache.defaultMaxSize),
        help: "Size above which the cache evicts the least recently used entries, such as 500MB (default: 1GiB).",
        argument: "bytes")
    /// Nil: `standardTokenFile`, which the service creates. A configured file has to exist.
    package var tokenFile = Setting(
        "token-file", .path(),
        help: "The file with the access token for requests that change data; created by default.", argument: "path")
    /// A reload changes it without a restart.
    package var logLevel = Setting(
        "log-level", .choice(default: Logger.Level.info),
        help: "Log level: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).", argument: "level")
    /// A tier behind the cache, on this machine or over a local tunnel; nil: avatars are not shared.
    package var sharedAvatars = Setting(
        "shared.avatars", flag: "shared-avatars", .redis(), needsRestart: true,
        help: "The Redis with the avatars that instances share: unix:/PATH or tcp:ADDRESS:PORT.", argument: "redis")
    /// Nil: this instance numbers the events of its books itself.
    package var sharedStreams = Setting(
        "shared.streams", flag: "shared-streams", .redis(), needsRestart: true,
        help: "The Redis with the streams of work and events.", argument: "redis")
    /// The user at both servers; nil: the user `default`.
    package var sharedUser = Setting(
        "shared.user", flag: "shared-user", .text(), needsRestart: true, help: "The user in Redis.", argument: "name")
    /// One line of 1 to 512 visible characters; nil: no password is sent.
    package var sharedPassword = Setting(
        "shared.password-file", flag: "shared-password-file", .path(), needsRestart: true,
        help: "The file with the password of the user in Redis, with mode 0600.", argument: "path")
    /// The number of the database in both servers; nil: 0.
    package var sharedDatabase = Setting("shared.database", .number(0...1_000_000), needsRestart: true)
    /// The folder with the mirrors of address books on the network.
    package var syncFolder = Setting("sync-dir", .path())
    /// By name; the sources of `tondo sync`.
    package internal(set) var sync: [String: SyncSettings] = [:]
    /// By name; the styles for `?style=NAME`.
    package internal(set) var styles: [String: StyleSettings] = [:]
    /// The environment of the process: names the folders of what is not configured.
    package internal(set) var environment: [String: String] = [:]
    /// Photos that the limits of the process allow to be drawn in parallel, whatever `jobs` says.
    package var mostWorkers = Int.max

    private static let standardAddress = "127.0.0.1:7380"

    /// All defaults.
    package static let builtIn = Self()

    /// All settings except those of styles and sources, in the order of `tondo config show`.
    package static var declarations: [SettingDeclaration] { rows.map(\.declaration) }

    /// For `tondo config show`: each value as in the file, with its origin.
    package var written: [(name: String, entry: SettingEntry)] {
        entries
            + styles.sorted { $0.key < $1.key }.flatMap { name, style in
                style.entries.sorted { $0.name < $1.name }.map { ("styles.\(name).\($0.name)", $0.entry) }
            }
            + sync.sorted { $0.key < $1.key }.flatMap { name, source in
                source.configured.sorted { $0.name < $1.name }.map { ("sync.\(name).\($0.name)", $0.entry) }
            }
    }

    /// The settings that differ from another configuration and need a restart.
    package func namesNeedingRestart(against other: Self) -> [String] {
        Self.rows.filter { $0.declaration.needsRestart && !$0.isSame(self, other) }.map(\.declaration.name)
    }
}

extension ServiceConfiguration: SettingTable {
    /// In the order of `tondo config show`.
    static let rows: [SettingRow<Self>] = [
        .init(\.books), .init(\.waitsForBooks), .init(\.listen), .init(\.socket), .init(\.isPhone), .init(\.phonePort),
        .init(\.hosts),
        .init(\.isRound), .init(\.webPQuality),
        .init(\.jobs), .init(\.sandbox), .init(\.initials),
        .init(\.connections), .init(\.events), .init(\.openAreas), .init(\.maxAge), .init(\.fallbackHosts),
        .init(\.eventsSize), .init(\.cacheFolder), .init(\.cacheSize), .init(\.tokenFile), .init(\.logLevel),
        .init(\.sharedAvatars), .init(\.sharedStreams), .init(\.sharedUser), .init(\.sharedPassword),
        .init(\.sharedDatabase),
        .init(\.syncFolder),
    ]
}
