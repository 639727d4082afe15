import Logging
import NIOCore

/// Prints the addresses of the service once it listens.
struct ListenText {
    private struct Document: Encodable {
        var event = "listening"
        var addresses: [String]
    }

    let addresses: [String]

    /// The page for browsers; nil without a TCP address.
    var page: String? { addresses.first { $0.hasPrefix("http:") } }

    init(_ channels: [any Channel]) { addresses = channels.compactMap { $0.localAddress.flatMap(Self.address) } }

    /// On standard output; the journal gets a log line instead.
    func report(isJSON: Bool, _ log: ServiceLog) {
        if isJSON {
            try? StandardOutput.write(json: Document(addresses: addresses))
        } else if StandardStreams.outputIsTerminal {
            let text = page.map { "Open \($0) - Ctrl-C ends the service." }
            try? StandardOutput.write((text ?? "Listening on \(addresses.joined(separator: ", "))") + "\n")
        } else {
            log.logger.info("listening on \(addresses.joined(separator: ", "))")
        }
    }

    /// `http://127.0.0.1:7380/` or `unix:/run/tondo.sock`. The address of all networks is shown as loopback.
    private static func address(_ address: SocketAddress) -> String? {
        switch address {
        case .unixDomainSocket: address.pathname.map { "unix:\($0)" }
        case .v4, .v6:
            address.ipAddress.flatMap { ip in
                let host = ["0.0.0.0": "127.0.0.1", "::": "localhost"][ip] ?? (ip.contains(":") ? "[\(ip)]" : ip)
                return address.port.map { "http://\(host):\($0)/" }
            }
        }
    }
}
