import Logging
import NIOCore
import TondoServer

/// Prints the addresses of the service once it listens.
struct ListenText {
    private struct Document: Encodable {
        var event = "listening"
        var addresses: [String]
        /// Where phones get in with a code; absent without a listener for them.
        var phone: [String]?
    }

    let addresses: [String]

    /// The page for browsers; nil without a TCP address.
    var page: String? { addresses.first { $0.hasPrefix("http:") } }

    private let phone: [String]?

    init(_ channels: [any Channel], phone: PhoneListener) {
        addresses = channels.compactMap { $0.localAddress.flatMap(Self.address) }
        self.phone = phone.addresses
    }

    /// On standard output; the journal gets a log line instead.
    func report(isJSON: Bool, _ log: ServiceLog) {
        if isJSON {
            try? StandardOutput.write(json: Document(addresses: addresses, phone: phone))
        } else if StandardStreams.outputIsTerminal {
            let text = page.map { "Open \($0) - Ctrl-C ends the service." }
            try? StandardOutput.write((text ?? "Listening on \(addresses.joined(separator: ", "))") + "\n")
        } else {
            log.logger.info("listening on \(addresses.joined(separator: ", "))")
        }
    }

    /// A link with a code on a terminal alone: in a log it would be read by others.
    func reportPhone(by components: ServiceComponents) {
        guard let phone else { return }
        guard StandardStreams.outputIsTerminal, let link = components.phone.link(by: components.sessions) else {
            let places = phone.isEmpty ? "port \(components.phone.port ?? 0)" : phone.joined(separator: ", ")
            return components.logger.info("listening for phones on \(places); tondo open --phone prints a code")
        }
        try? StandardOutput.write("\n" + PhoneText(link: link).text(columns: StandardStreams.colorColumns ?? 0))
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
