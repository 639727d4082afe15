import ArgumentParser
import FoundationEssentials
import Glibc
import SystemPackage
import TondoConfiguration
import TondoFiles
import TondoServer

/// `tondo open`
struct ServiceOpen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Opens the page of a running service in the browser.",
        discussion: """
            The link contains a code, which works once and for a minute: the page exchanges it for a token that permits what \
            the access token permits, for twelve hours. The code comes over the Unix socket, which needs the service's own \
            user or root, or over an address of this machine with the access token, which is only sent to a service of the same user, of root, \
            or of the owner of the token file. Without --socket or --url, the address comes from the \
            configuration.

            A link for a phone leads to an address of this machine in its network, and works for ten minutes. The service has to \
            listen for phones (tondo serve --phone).

            EXAMPLES
              tondo open                                    opens the page with xdg-open
              tondo open --print --socket /run/tondo.sock   prints the link
              tondo open --phone                            prints a QR code for a phone

            \(ServiceStatus.exitStatus([
                0: "done", 1: "the service refused, has no address for browsers, or no browser was found",
            ]))
            """)

    @OptionGroup var location: ServiceLocation

    @Flag(name: .customLong("print"), help: "Print the link instead of opening it.")
    var isPrinting = false

    @Flag(
        name: .customLong("phone"), help: "Print a QR code and a link for a phone instead; with --print the link alone."
    )
    var isForPhone = false

    func run() throws {
        StandardStreams.prepare()
        let (address, fields) = try (location.address, authorization)
        if isForPhone { return try printPhone(address, fields) }
        let session = try offer(SessionOffer.self, of: "/v1/session/codes", at: address, fields: fields)
        guard let link = session.link(from: address) else {
            Terminal.reportError("\(address): the service has no address for browsers; it needs listen")
            throw ExitCode.failure
        }
        if isPrinting { return try StandardOutput.write(link + "\n") }
        guard Browser.open(link) else {
            Terminal.reportError("xdg-open opened no browser; tondo open --print prints the link")
            throw ExitCode.failure
        }
    }

    private func printPhone(_ address: ServiceAddress, _ fields: [(String, String)]) throws {
        let offer = try offer(PhoneOffer.self, of: "/v1/session/phone", at: address, fields: fields)
        let link = PhoneLink(url: Terminal.printable(offer.url), addresses: offer.addresses.map(Terminal.printable))
        let columns = isPrinting ? nil : StandardStreams.colorColumns
        try StandardOutput.write(PhoneText(link: link).text(columns: columns))
    }

    /// The answer to a request for a code, or the end of the command.
    private func offer<Offer: Decodable>(
        _ type: Offer.Type, of path: String, at address: ServiceAddress, fields: [(String, String)]
    ) throws -> Offer {
        let response = try ServiceLocation.reporting(address) { () throws(ClientError) in
            try ServiceClient(address: address).post(path, fields: fields)
        }
        guard response.status == 200, let offer = try? JSONDecoder().decode(type, from: Data(response.body)) else {
            Terminal.reportError("\(address): no session (\(Self.reason(for: response)))")
            throw ExitCode.failure
        }
        return offer
    }

    /// The access token, for a service on this machine that is reached at an address of it. A token is never sent elsewhere.
    private var authorization: [(String, String)] {
        get throws {
            guard case .tcp(let host, let port) = location.address else { return [] }
            guard OwnAddresses.contain(host) else {
                Terminal.reportError("\(location.address): not an address of this machine; use --socket")
                throw ExitCode.failure
            }
            let configuration = ConfigurationSource(file: location.file.config).read().configuration
            guard let file = configuration.tokenFile.value ?? configuration.standardTokenFile else { return [] }
            guard let text = try? String(contentsOfFile: file.string, encoding: .utf8) else {
                Terminal.reportError("\(file): the access token cannot be read; use --socket")
                throw ExitCode.failure
            }
            // Any user may listen on a port whose service does not run.
            var allowed: Set<uid_t> = [geteuid(), 0]
            if let owner = try? file.stat().userID { allowed.insert(owner.rawValue) }
            let users = ListeningUsers.all(port: port)
            // Nothing listens, or the kernel does not show it: the request fails without the token.
            guard !users.isEmpty else { return [] }
            guard users.isSubset(of: allowed) else {
                Terminal.reportError("\(location.address): another user listens there; use --socket")
                throw ExitCode.failure
            }
            return [("Authorization", "Bearer " + text.prefix { !$0.isNewline })]
        }
    }

    private static func reason(for response: ServiceClient.Response) -> String {
        let problem = try? JSONDecoder().decode([String: ProblemPart].self, from: Data(response.body))
        let code = problem?["code"]?.text ?? "status \(response.status)"
        switch code {
        case "unknown-host": return "\(code); --host or the setting hosts of the service adds it"
        case "not-listening":
            return "\(code); tondo serve --phone, or phone = true in its configuration, lets phones in"
        case "own-machine": return "\(code); use --socket, or a loopback address"
        default: return code
        }
    }
}

/// A member of a problem; only texts matter.
private struct ProblemPart: Decodable {
    var text: String?

    init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
}

/// The users whose sockets listen on a TCP port of this machine; see proc(5).
enum ListeningUsers {
    /// The kernel gives a table in parts, and passes over sockets while others come and go.
    private static let tries = 5
    /// 100,000 sockets.
    private static let largest = 16 << 20

    static func all(port: Int, tables: [String] = ["/proc/net/tcp", "/proc/net/tcp6"]) -> Set<uid_t> {
        for _ in 0..<tries {
            let users = listed(port: port, tables)
            if !users.isEmpty { return users }
        }
        return []
    }

    private static func listed(port: Int, _ tables: [String]) -> Set<uid_t> {
        var users: Set<uid_t> = []
        for table in tables {
            for line in text(of: FilePath(table)).split(separator: "\n").dropFirst() {
                // Number, own address and port in hexadecimal digits, the peer's, state, two queues, timer, retries, user.
                let fields = line.split(separator: " ")
                guard fields.count > 7, fields[3] == "0A", let user = uid_t(fields[7]),
                    let digits = fields[1].split(separator: ":").last, Int(digits, radix: 16) == port
                else { continue }
                users.insert(user)
            }
        }
        return users
    }

    /// Not by Foundation: it takes the kernel's first part, 27 sockets, for the whole table.
    private static func text(of table: FilePath) -> String {
        guard let file = try? FileDescriptor.open(table, .readOnly, options: .closeOnExec),
            let bytes = try? file.closeAfter({ try file.readAll(limit: largest) })
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The response to `POST /v1/session/codes`.
struct SessionOffer: Decodable, Equatable {
    var code: String
    var expiresIn: Int
    /// The address of the page; absent if the service listens on a Unix socket only.
    var url: String?

    /// The link to the page of the service that was asked at `address`. The code is behind `#`, which browsers do not send.
    func link(from address: ServiceAddress) -> String? {
        guard code.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else { return nil }
        if case .tcp = address { return "\(address)#code=\(code)" }
        guard let url, ServiceAddress(url: url) != nil else { return nil }
        return "\(url)#code=\(code)"
    }
}

/// The response to `POST /v1/session/phone`.
struct PhoneOffer: Decodable, Equatable {
    /// The link with the code.
    var url: String
    /// All addresses for phones, the best first.
    var addresses: [String]
}

/// The user's browser.
enum Browser {
    /// False if no program could be started, or if it failed. `program`: the name of the program that opens links.
    static func open(_ link: String, program: String = "xdg-open") -> Bool {
        var process = pid_t()
        let words = texts([program, link])
        let variables = texts(ProcessInfo.processInfo.environment.map { "\($0)=\($1)" })
        defer { for text in words + variables { free(text) } }
        guard posix_spawnp(&process, program, nil, nil, words, variables) == 0 else { return false }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return false } }
        return status == 0
    }

    /// C strings, and nil at the end. The caller frees them.
    private static func texts(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
