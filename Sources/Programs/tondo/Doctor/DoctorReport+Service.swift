import FoundationEssentials
import Glibc
import SystemPackage
import TondoConfiguration
import TondoEndpoints
import TondoFiles
import TondoMirror

/// Where the service listens, and what it needs of others.
extension DoctorReport {
    mutating func checkAddresses(_ configuration: ServiceConfiguration) {
        let settings = [configuration.listen.value, configuration.socket.value.map { [$0] } ?? []]
        let origins = [configuration.listen.origin, configuration.socket.origin]
        for (addresses, origin) in zip(settings, origins) {
            for address in addresses { check(address, origin: origin) }
        }
    }

    private mutating func check(_ address: ListenAddress, origin: SettingOrigin) {
        if case .tcp(_, 0) = address { return ok("addresses", "\(address): a free port") }
        let service = ServiceProbe(ServiceAddress(address))
        switch service {
        case .ready(_, isDegraded: false): ok("addresses", "\(address): Tondo listens there: \(service)")
        case .ready, .notReady:
            warn("addresses", "\(address): Tondo listens there: \(service)", advice: "tondo status")
        case .unknown(let reason): warn("addresses", "\(address): \(reason)", advice: "tondo status")
        case .other:
            problem(
                "addresses", "\(address): another program listens there\(Self.owner(of: address))",
                advice: "end that program, or choose another address (\(origin))")
        case .absent:
            guard let error = ListenTrial.error(at: address) else { return ok("addresses", "\(address): free") }
            problem("addresses", "\(address): \(error)", advice: "choose another address (\(origin))")
        }
    }

    /// The user of the program, as far as the kernel shows it.
    private static func owner(of address: ListenAddress) -> String {
        guard case .tcp(_, let port) = address else { return "" }
        let names = ListeningUsers.all(port: port).map(UserName.of).sorted()
        return names.isEmpty ? "" : ", of the user '\(names.joined(separator: "' or '"))'"
    }

    mutating func checkRedis(_ configuration: ServiceConfiguration) {
        guard configuration.sharedAvatars.value != nil || configuration.sharedStreams.value != nil else {
            return skip("redis", because: "none is configured")
        }
        let check = SharedConnection.check(configuration)
        for problem in check.problems {
            self.problem("redis", "\(problem)", advice: "set that Redis up as docs/scaling.md says, and start it")
        }
        for warning in check.warnings { warn("redis", warning) }
        if check.problems.isEmpty, check.warnings.isEmpty { ok("redis", "it serves, and permits what is needed") }
    }
}

/// Sources of `tondo sync`, by the records of their mirrors: no server is asked.
extension DoctorReport {
    /// Seconds after which a mirror is old.
    private static let oldAge = 7 * 86_400

    mutating func checkSync(_ configuration: ServiceConfiguration, now: Date) {
        let sources = configuration.syncSources
        if sources.isEmpty { return skip("sync", because: "there are no sources") }
        if access(SyncExecution.program, X_OK) != 0 {
            problem("sync", "\(SyncExecution.program) is not installed", advice: "install tondo-sync")
        }
        guard let folder = configuration.syncFolder.value ?? configuration.standardSyncFolder else {
            return problem("sync", "there is no folder for the mirrors", advice: "set sync-dir, or the variable HOME")
        }
        for source in sources { check(SyncStatus.Report.Source(source, in: folder, now: now), now: now) }
    }

    private mutating func check(_ source: SyncStatus.Report.Source, now: Date) {
        let name = source.name
        guard let status = source.status else {
            return warn("sync", "\(name): never synchronised", advice: "tondo sync \(name)")
        }
        let age = source.age.map { RelativeTime.text(now - Double($0), now: now) }
        let last = age.map { "synchronised \($0)" } ?? "never synchronised"
        if let error = status.error {
            return problem(
                "sync", "\(name): \(last); the last run failed: \(error.message)", advice: "tondo sync \(name)")
        }
        if status.withheld > 0 {
            let text = "\(name): \(Quantities.counted(status.withheld, of: "deletion")) not carried out"
            return warn("sync", text, advice: "tondo sync \(name) --allow-delete, if they are right")
        }
        if !status.isComplete || source.waiting != nil || status.refused != nil {
            return warn("sync", "\(name): \(last), but not all of it", advice: "tondo sync status \(name)")
        }
        if source.age ?? 0 > Self.oldAge {
            return warn("sync", "\(name): \(last)", advice: "systemctl --user enable --now tondo-sync.timer")
        }
        ok("sync", "\(name): \(Quantities.counted(status.contacts, of: "contact")), \(last)")
    }
}

/// Whether a service could listen at an address where none does.
enum ListenTrial {
    /// Binds a socket, and closes it at once. Nil: that is possible.
    static func error(at address: ListenAddress) -> Errno? {
        switch address {
        case .tcp(let host, let port): bind(host: host, port: port)
        case .unix(let path): place(FilePath(path))
        }
    }

    /// A socket without a service is replaced by the next one.
    private static func place(_ path: FilePath) -> Errno? {
        if let status = FileStatus(path, followingLinks: false), status.kind != .other { return .fileExists }
        let folder = path.removingLastComponent()
        let mode = W_OK | X_OK
        let result = (folder.isEmpty ? "." : folder).withPlatformString { access($0, mode) }
        return result == 0 ? nil : Errno(rawValue: errno)
    }

    private static func bind(host: String, port: Int) -> Errno? {
        var (hints, list) = (addrinfo(), nil as UnsafeMutablePointer<addrinfo>?)
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = list else { return .addressNotAvailable }
        defer { freeaddrinfo(list) }
        let descriptor = socket(first.pointee.ai_family, hints.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return Errno(rawValue: errno) }
        defer { close(descriptor) }
        // Connections of a service that ended a moment ago do not count.
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        let result = Glibc.bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen)
        return result == 0 ? nil : Errno(rawValue: errno)
    }
}
