internal import CLinux

/// Asks the system's resolver; blocks for some seconds where there is none.
package enum DNSLookup {
    /// The servers of a domain for CardDAV over TLS, best first; empty if the domain names none.
    package static func cardDAV(_ domain: String) -> [DNSService] { cardDAV(domain, port: 0) }

    /// `port`: of a server of names on loopback instead of the system's; 0: none.
    static func cardDAV(_ domain: String, port: Int) -> [DNSService] {
        let name = "_carddavs._tcp.\(domain)"
        let services = DNSMessage(query(name, type: 33, port: port)).services
        guard !services.isEmpty else { return [] }
        let path = DNSMessage(query(name, type: 16, port: port)).texts.first { $0.hasPrefix("path=/") }.map {
            String($0.dropFirst(5))
        }
        return services.map { DNSService(host: $0.host, port: $0.port, path: path ?? "/.well-known/carddav") }
    }

    private static func query(_ name: String, type: Int32, port: Int) -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: 8_192)
        let count = Int(clinux_res_nquery(name, type, Int32(port), &answer, Int32(answer.count)))
        return count > 0 ? Array(answer.prefix(count)) : []
    }
}
