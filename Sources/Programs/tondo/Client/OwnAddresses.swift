import Glibc
import TondoEndpoints

/// The addresses of this machine: what is sent to one never leaves it.
enum OwnAddresses {
    /// Whether a host of a URL is loopback, or an address of an interface. A name is not: another machine's name server
    /// decides where it leads.
    static func contain(_ host: String, interfaces: () -> Set<String> = { interfaces }) -> Bool {
        if HostName.name(host).map(HostName.isLoopback) == true || host == "::1" { return true }
        return numeric(host).map { interfaces().contains($0) } ?? false
    }

    /// In the system's notation, without the scope of an interface.
    static var interfaces: Set<String> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: Set<String> = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let address = entry.pointee.ifa_addr else { continue }
            if let text = text(of: address) { found.insert(text) }
        }
        return found
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let lengths = [AF_INET: MemoryLayout<sockaddr_in>.size, AF_INET6: MemoryLayout<sockaddr_in6>.size]
        guard let length = lengths[Int32(address.pointee.sa_family)] else { return nil }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(text.prefix { $0 != "%" })
    }

    /// One spelling of an address: `::0001` is `::1`. Nil for a name.
    private static func numeric(_ host: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 16)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        for family in [AF_INET, AF_INET6] where inet_pton(family, host, &bytes) == 1 {
            guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }
}
