import Logging
import SystemPackage
import TondoAvatars
import TondoServer
import TondoSettings

/// The checked configuration of the service. Opens nothing.
struct ServiceConfiguration: Sendable {
    var books: [FilePath] = []
    var addresses: [ListenAddress] = []
    /// No address to listen on is configured, so inherited sockets are enough.
    var isListenBuiltIn = true
    var socket: ListenAddress?
    var hosts: [String] = []
    /// The styles for `?style=NAME`, which are drawn for all contacts in advance.
    var styles: [String: AvatarStyle] = [:]
    var prepared: [AvatarStyle] = ServiceConfiguration.standardStyles
    var fallbackHosts: Set<String> = []
    var isRound = false
    /// Areas that other machines can read without the token.
    var openAreas: Set<ServiceArea> = []
    /// Seconds.
    var maxAge = 300
    var cacheFolder: FilePath?
    var cacheSize = 0
    var tokenFile: String?
    var jobs = 0
    var connections = 0
    var events = 0
    /// Maximum bytes of the kept events.
    var eventsSize = 0
    var logLevel = Logger.Level.info

    /// The default styles: 96 points for normal and for high-density screens, with room for the ring.
    static let standardStyles = [
        AvatarStyle("96", size: 96, isSelectable: true), AvatarStyle("96@2x", size: 96, scale: 2, isSelectable: true),
    ]

    /// `home`: the meaning of `~`. All problems are reported.
    static func read(_ settings: Settings, home: String?) -> (
        configuration: ServiceConfiguration, problems: [SettingsProblem]
    ) {
        var (configuration, problems) = (ServiceConfiguration(), [SettingsProblem]())
        configuration.books = settings.list(.books).map { path($0, home) }
        configuration.cacheFolder = settings.text(.cacheFolder).map { path($0, home) }
        configuration.tokenFile = settings.text(.tokenFile).map { path($0, home).string }
        (configuration.isRound, configuration.maxAge) = (settings.flag(.round), settings.number(.maxAge))
        (configuration.cacheSize, configuration.jobs) = (settings.number(.cacheSize), settings.number(.jobs))
        (configuration.connections, configuration.events) = (settings.number(.connections), settings.number(.events))
        configuration.eventsSize = settings.number(.eventsSize)
        configuration.logLevel = settings.text(.logLevel).flatMap { Logger.Level(rawValue: $0) } ?? .info
        configuration.readAddresses(settings, home, &problems)
        configuration.readHosts(settings, &problems)
        configuration.readOpenAreas(settings, &problems)
        for (name, named) in settings.styles.sorted(by: { $0.key < $1.key }) {
            configuration.styles[name] = StyleReading(name, named).read(&problems)
        }
        if !configuration.styles.isEmpty {
            configuration.prepared = configuration.styles.sorted { $0.key < $1.key }.map(\.value)
        }
        return (configuration, problems)
    }

    private mutating func readAddresses(
        _ settings: Settings, _ home: String?, _ problems: inout [SettingsProblem]
    ) {
        isListenBuiltIn = settings.entries[.listen]?.origin == .builtIn
        for text in settings.list(.listen) {
            if let address = ListenAddress(tcp: text) {
                addresses.append(address)
            } else {
                problems.add(.listen, settings, "listen must be HOST:PORT, [ADDRESS]:PORT or :PORT, not '\(text)'")
            }
        }
        guard let text = settings.text(.socket) else { return }
        socket = ListenAddress(unix: Self.path(text, home).string)
        if socket == nil {
            problems.add(.socket, settings, "socket must be a path of at most \(ListenAddress.longestPath) bytes")
        }
    }

    private mutating func readHosts(_ settings: Settings, _ problems: inout [SettingsProblem]) {
        for (key, names) in [
            (SettingKey.hosts, settings.list(.hosts)), (.fallbackHosts, settings.list(.fallbackHosts)),
        ] {
            for name in names where HostGuard.name(name) == nil {
                problems.add(key, settings, "\(key.rawValue) holds '\(name)', which is not a host name")
            }
        }
        // A port would mean another server.
        for name in settings.list(.fallbackHosts) where HostGuard.name(name) != nil && HostGuard.hasPort(name) {
            problems.add(
                .fallbackHosts, settings, "fallback-hosts holds '\(name)'; a host has no port")
        }
        hosts = settings.list(.hosts)
        fallbackHosts = Set(settings.list(.fallbackHosts).compactMap { HostGuard.name($0) })
    }

    private mutating func readOpenAreas(_ settings: Settings, _ problems: inout [SettingsProblem]) {
        for name in settings.list(.openAreas) {
            if let area = ServiceArea(rawValue: name) {
                openAreas.insert(area)
            } else {
                problems.add(.openAreas, settings, "public must be a list of \(ServiceArea.list), not '\(name)'")
            }
        }
    }

    /// Whether other machines can reach the service according to the configuration; sockets from systemd are not known
    /// here.
    var isExposed: Bool {
        let isBeyond = addresses.contains { address in
            if case .tcp(let host, _) = address {
                return !HostGuard.isLoopback(host.contains(":") ? "[\(host)]" : host)
            }
            return false
        }
        return isBeyond || !hosts.isEmpty || !openAreas.isEmpty
    }

    /// A shell expands `~` in arguments, but not in files.
    private static func path(_ text: String, _ home: String?) -> FilePath {
        guard let home, text == "~" || text.hasPrefix("~/") else { return FilePath(text) }
        return FilePath(home + text.dropFirst())
    }

    /// The settings that differ from another plan and need a restart.
    func fixed(against other: ServiceConfiguration) -> [SettingKey] {
        let same: [(SettingKey, Bool)] = [
            (.listen, addresses == other.addresses), (.socket, socket == other.socket),
            (.cacheFolder, cacheFolder == other.cacheFolder), (.jobs, jobs == other.jobs),
            (.events, events == other.events), (.eventsSize, eventsSize == other.eventsSize),
        ]
        return same.filter { !$0.1 }.map(\.0)
    }
}

extension [SettingsProblem] {
    fileprivate mutating func add(_ key: SettingKey, _ settings: Settings, _ reason: String) {
        append(SettingsProblem(origin: settings.entries[key]?.origin ?? .builtIn, reason: reason))
    }
}
