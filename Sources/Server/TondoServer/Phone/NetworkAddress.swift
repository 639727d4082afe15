internal import Glibc

/// An address of this machine, and what shows whether a phone in the same network reaches it.
struct NetworkAddress: Equatable {
    /// As a host of a URL: `192.0.2.7`, `[2001:db8::7]`.
    var host: String
    var interface = ""
    /// A device of the machine, such as a network card.
    var isPhysical = false
    /// Joins containers or virtual machines; a server may have one as its network card, too.
    var isBridge = false
    /// The interface of a VPN, at whose other end is no phone of this network.
    var isTunnel = false
    /// Packets to the Internet leave from it.
    var isDefault = false

    private var isIPv6: Bool { host.first == "[" }

    /// The lower, the likelier. A VPN may have the default route; it comes last all the same.
    private var rank: Int { isTunnel ? 3 : isDefault ? 0 : isPhysical ? 1 : 2 }

    /// The hosts for a phone, the best first: IPv4 before IPv6, of which an interface has many, the first alone. Bridges are left
    /// out where there is anything better.
    static func ranked(_ addresses: [NetworkAddress]) -> [String] {
        let best = addresses.map(\.rank).min() ?? 0
        var interfaces: Set<String> = []
        let wanted = addresses.filter { address in
            if address.isBridge, address.rank == 2, best < 2 { return false }
            return !address.isIPv6 || interfaces.insert(address.interface).inserted
        }
        let order = wanted.enumerated().sorted { one, other in
            (one.element.rank, one.element.isIPv6 ? 1 : 0, one.offset)
                < (other.element.rank, other.element.isIPv6 ? 1 : 0, other.offset)
        }
        return order.map(\.element.host)
    }
}

extension NetworkAddress {
    /// The addresses now: interfaces come, go and change while the service runs. Loopback and link-local ones are none: no link
    /// leads to them from another machine.
    static var all: [NetworkAddress] {
        let defaults = [source(of: AF_INET, to: "192.0.2.1"), source(of: AF_INET6, to: "2001:db8::1")].compactMap(
            \.self)
        var list: UnsafeMutablePointer<ifaddrs>?
        // A unit may forbid netlink. The addresses that packets leave from are found without it.
        guard getifaddrs(&list) == 0 else { return defaults.map { NetworkAddress(host: $0, isDefault: true) } }
        defer { freeifaddrs(list) }
        var found: [NetworkAddress] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            guard var address = NetworkAddress(entry.pointee) else { continue }
            address.isDefault = defaults.contains(address.host)
            found.append(address)
        }
        return found
    }

    private init?(_ entry: ifaddrs) {
        let flags = CInt(bitPattern: entry.ifa_flags)
        let (running, point) = (CInt(IFF_UP | IFF_RUNNING), CInt(IFF_POINTOPOINT))
        guard flags & running == running, let address = entry.ifa_addr, let host = Self.host(address) else {
            return nil
        }
        let name = String(cString: entry.ifa_name)
        self.init(
            host: host, interface: name, isPhysical: Self.has("device", name), isBridge: Self.has("bridge", name),
            isTunnel: flags & point != 0)
    }

    private static func has(_ part: String, _ interface: String) -> Bool {
        access("/sys/class/net/\(interface)/\(part)", F_OK) == 0
    }

    /// The own address from which packets to `destination` would leave; none is sent. Nil without a route.
    private static func source(of family: CInt, to destination: String) -> String? {
        let descriptor = socket(family, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(family)
        return withUnsafeMutableBytes(of: &storage) { bytes -> String? in
            // The port, which must not be 0, and the address behind it; IPv6 has four bytes between them.
            bytes[3] = 9
            let start = family == AF_INET ? 4 : 8
            guard let base = bytes.baseAddress, inet_pton(family, destination, base + start) == 1 else { return nil }
            let address = base.assumingMemoryBound(to: sockaddr.self)
            var length = socklen_t(family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
            guard connect(descriptor, address, length) == 0, getsockname(descriptor, address, &length) == 0 else {
                return nil
            }
            return host(address)
        }
    }

    /// Nil for loopback, link-local and unspecified addresses, and for other families.
    private static func host(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let family = CInt(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let bytes = UnsafeRawPointer(address) + (family == AF_INET ? 4 : 8)
        let (first, second) = (bytes.load(as: UInt8.self), bytes.load(fromByteOffset: 1, as: UInt8.self))
        if family == AF_INET {
            if first == 127 || first == 0 || first == 169 && second == 254 { return nil }
        } else if first == 0 || first == 0xFE && second & 0xC0 == 0x80 {
            return nil
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return family == AF_INET ? host : "[\(host)]"
    }
}
