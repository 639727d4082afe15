import Logging
import SystemPackage
import TondoAvatars
import TondoServer
import TondoSettings

/// What the settings mean: everything the service is made of, checked. Opens nothing.
struct ServicePlan: Sendable {
    var books: [FilePath] = []
    var addresses: [ListenAddress] = []
    /// Nobody said where to listen, so sockets that are handed over are enough.
    var isListenBuiltIn = true
    var socket: ListenAddress?
    var hosts: [String] = []
    /// What `?style=NAME` may say, and what is prepared for everybody.
    var styles: [String: AvatarStyle] = [:]
    var prepared: [AvatarStyle] = ServicePlan.standardStyles
    var fallbackHosts: Set<String> = []
    var isRound = false
    /// What is seen from beyond this machine without the token.
    var openAreas: Set<ServiceArea> = []
    /// Seconds.
    var maxAge = 300
    var cacheFolder: FilePath?
    var cacheSize = 0
    var tokenFile: String?
    var jobs = 0
    var connections = 0
    var events = 0
    /// Bytes that the kept events may take.
    var eventsSize = 0
    var logLevel = Logger.Level.info

    /// When no style is named: faces of 96 points for plain and for fine screens, with room for the ring.
    static let standardStyles = [
        AvatarStyle("96", size: 96, isSelectable: true), AvatarStyle("96@2x", size: 96, scale: 2, isSelectable: true),
    ]

    /// `home`: what `~` means. Everything that is wrong is told.
    static func read(_ settings: Settings, home: String?) -> (plan: ServicePlan, problems: [SettingsProblem]) {
        var (plan, problems) = (ServicePlan(), [SettingsProblem]())
        plan.books = settings.list(.books).map { path($0, home) }
        plan.cacheFolder = settings.text(.cacheFolder).map { path($0, home) }
        plan.tokenFile = settings.text(.tokenFile).map { path($0, home).string }
        (plan.isRound, plan.maxAge) = (settings.flag(.round), settings.number(.maxAge))
        (plan.cacheSize, plan.jobs) = (settings.number(.cacheSize), settings.number(.jobs))
        (plan.connections, plan.events) = (settings.number(.connections), settings.number(.events))
        plan.eventsSize = settings.number(.eventsSize)
        plan.logLevel = settings.text(.logLevel).flatMap { Logger.Level(rawValue: $0) } ?? .info
        plan.readAddresses(settings, home, &problems)
        plan.readHosts(settings, &problems)
        plan.readOpenAreas(settings, &problems)
        for (name, named) in settings.styles.sorted(by: { $0.key < $1.key }) {
            plan.styles[name] = StyleReading(name, named).read(&problems)
        }
        if !plan.styles.isEmpty { plan.prepared = plan.styles.sorted { $0.key < $1.key }.map(\.value) }
        return (plan, problems)
    }

    private mutating func readAddresses(
        _ settings: Settings, _ home: String?, _ problems: inout [SettingsProblem]
    ) {
        isListenBuiltIn = settings.entries[.listen]?.origin == .builtIn
        for text in settings.list(.listen) {
            if let address = ListenAddress(tcp: text) {
                addresses.append(address)
            } else {
                problems.add(.listen, settings, "listen is HOST:PORT, [ADDRESS]:PORT or :PORT, not '\(text)'")
            }
        }
        guard let text = settings.text(.socket) else { return }
        socket = ListenAddress(unix: Self.path(text, home).string)
        if socket == nil {
            problems.add(.socket, settings, "socket is a path of at most \(ListenAddress.longestPath) bytes")
        }
    }

    private mutating func readHosts(_ settings: Settings, _ problems: inout [SettingsProblem]) {
        for (key, names) in [
            (SettingKey.hosts, settings.list(.hosts)), (.fallbackHosts, settings.list(.fallbackHosts)),
        ] {
            for name in names where HostGuard.name(name) == nil {
                problems.add(key, settings, "\(key.rawValue) holds '\(name)', which is no name of a host")
            }
        }
        // A port would be another server than the one that was meant.
        for name in settings.list(.fallbackHosts) where HostGuard.name(name) != nil && HostGuard.hasPort(name) {
            problems.add(
                .fallbackHosts, settings, "fallback-hosts holds '\(name)'; hosts are named without a port")
        }
        hosts = settings.list(.hosts)
        fallbackHosts = Set(settings.list(.fallbackHosts).compactMap { HostGuard.name($0) })
    }

    private mutating func readOpenAreas(_ settings: Settings, _ problems: inout [SettingsProblem]) {
        for name in settings.list(.openAreas) {
            if let area = ServiceArea(rawValue: name) {
                openAreas.insert(area)
            } else {
                problems.add(.openAreas, settings, "public is a list of \(ServiceArea.list), not '\(name)'")
            }
        }
    }

    /// The service can be reached from beyond this machine, as far as the settings say; sockets of systemd are not known.
    var isExposed: Bool {
        let isBeyond = addresses.contains { address in
            if case .tcp(let host, _) = address {
                return !HostGuard.isLoopback(host.contains(":") ? "[\(host)]" : host)
            }
            return false
        }
        return isBeyond || !hosts.isEmpty || !openAreas.isEmpty
    }

    /// A shell replaces `~` in arguments; nobody does so in files.
    private static func path(_ text: String, _ home: String?) -> FilePath {
        guard let home, text == "~" || text.hasPrefix("~/") else { return FilePath(text) }
        return FilePath(home + text.dropFirst())
    }

    /// What of another plan only a new start brings about.
    func fixed(against other: ServicePlan) -> [SettingKey] {
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
