import Glibc
import Testing

/// A port of which this holds the half of IPv6, as another program may.
final class HalfTakenPort {
    let number: Int
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_INET6, CInt(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0, "There is no IPv6")
        var isOn: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &isOn, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        try #require(isBound)
        number = Int(UInt16(bigEndian: address.sin6_port))
    }

    deinit { close(descriptor) }
}
