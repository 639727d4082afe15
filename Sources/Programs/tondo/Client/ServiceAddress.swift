import TondoEndpoints

/// The address of a running service.
enum ServiceAddress: Equatable {
    case tcp(host: String, port: Int)
    case unix(path: String)

    /// `http://HOST:PORT/` with any path, or `unix:PATH`.
    init?(url: String) {
        if url.hasPrefix("unix:") {
            guard let address = ListenAddress(unix: String(url.dropFirst(5))) else { return nil }
            self.init(address)
            return
        }
        guard url.lowercased().hasPrefix("http://") else { return nil }
        let authority = url.dropFirst(7).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hasPort = authority.last != "]" && authority.lastIndex(of: ":") != nil
        guard !authority.isEmpty, authority.first != ":",
            let address = ListenAddress(tcp: hasPort ? String(authority) : "\(authority):80")
        else { return nil }
        self.init(address)
    }

    /// A service that listens on all networks is reached over loopback.
    init(_ address: ListenAddress) {
        switch address {
        case .tcp("0.0.0.0", let port): self = .tcp(host: "127.0.0.1", port: port)
        case .tcp("::", let port): self = .tcp(host: "localhost", port: port)
        case .tcp(let host, let port): self = .tcp(host: host, port: port)
        case .unix(let path): self = .unix(path: path)
        }
    }

    /// The value of the Host field.
    var host: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix: "localhost"
        }
    }
}

extension ServiceAddress: CustomStringConvertible {
    var description: String {
        switch self {
        case .tcp: "http://\(host)/"
        case .unix(let path): "unix:\(path)"
        }
    }
}
