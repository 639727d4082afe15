import Foundation
import SystemPackage
import TondoSync
import TondoTestSupport

/// A directory of its own for a test: OpenLDAP's slapd with a temporary configuration and data folder, on a Unix socket and, if
/// asked for, on a free port of loopback.
final class Slapd {
    struct Options {
        /// Entries of an answer; -1: all.
        var sizeLimit = -1
        var synchronises = true
        /// On loopback: `ldap` and `ldaps`.
        var hasPorts = false
        /// Entries as LDIF, below `dc=example,dc=org`.
        var people = ""
    }

    static let isInstalled = ShellCommand.exists("/usr/sbin/slapd") && ShellCommand.exists("/usr/bin/ldapmodify")
    static let base = "dc=example,dc=org"
    static let administrator = "cn=admin,dc=example,dc=org"
    static let password = "correct horse"

    let folder: TemporaryFolder
    let port: Int
    let securePort: Int
    private let process = Process()

    /// Returns once the server answers.
    init(_ options: Options = Options()) throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("data")
        (port, securePort) = options.hasPorts ? (try FreePort.find(), try FreePort.find()) : (0, 0)
        if options.hasPorts { try Certificate.make(in: folder) }
        try folder.write(Self.configuration(options, folder.pathString), to: "slapd.conf")
        try folder.write(Self.root + options.people, to: "people.ldif")
        let loading = try ShellCommand.run(
            "/usr/sbin/slapadd", "-q", "-f", path("slapd.conf"), "-l", path("people.ldif"))
        guard loading.status == 0 else { throw Problem(text: loading.output) }
        try start(options)
    }

    struct Problem: Error { let text: String }

    deinit {
        // At a gentle end it waits for its clients.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private func path(_ name: String) -> String { folder.pathString + "/" + name }

    private func start(_ options: Options) throws {
        var addresses = "ldapi://" + socket.replacing("/", with: "%2F")
        if options.hasPorts { addresses += " ldap://127.0.0.1:\(port) ldaps://127.0.0.1:\(securePort)" }
        process.executableURL = URL(filePath: "/usr/sbin/slapd")
        process.arguments = ["-d", "0", "-h", addresses, "-f", path("slapd.conf")]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        let end = ContinuousClock.now + .seconds(120)
        while (try? client()) == nil {
            guard ContinuousClock.now < end, process.isRunning else { throw Problem(text: "slapd does not answer") }
            usleep(20_000)
        }
    }

    var socket: String { path("socket") }

    /// `rest`: what follows the server in a URL.
    func url(_ rest: String = "/dc=example,dc=org") throws -> LDAPURL {
        try LDAPURL("ldapi://\(socket.replacing("/", with: "%2F"))\(rest)")
    }

    /// Bound as the administrator, who has no limits.
    func client() throws -> LDAPClient {
        var server = DirectoryServer(try url())
        server.identity = .simple(name: Self.administrator, password: Array(Self.password.utf8))
        return try LDAPClient(server: server)
    }

    /// Changes entries (RFC 2849).
    func modify(_ changes: String) throws {
        let name = "changes-\(UUID().uuidString).ldif"
        try folder.write(changes, to: name)
        let result = try ShellCommand.run(
            "/usr/bin/ldapmodify", "-H", try url("").server, "-x", "-D", Self.administrator, "-w", Self.password, "-f",
            path(name))
        guard result.status == 0 else { throw Problem(text: result.output) }
    }

    private static let root = """
        dn: dc=example,dc=org
        objectClass: dcObject
        objectClass: organization
        o: Example
        dc: example

        dn: ou=people,dc=example,dc=org
        objectClass: organizationalUnit
        ou: people


        """

    private static func configuration(_ options: Options, _ folder: String) -> String {
        let tls =
            options.hasPorts
            ? "TLSCertificateFile \(folder)/server.pem\nTLSCertificateKeyFile \(folder)/server.key\n" : ""
        let schemas = ["core", "cosine", "inetorgperson"].map { "include /etc/ldap/schema/\($0).schema\n" }.joined()
        return schemas + """
            modulepath /usr/lib/ldap
            moduleload back_mdb
            \(options.synchronises ? "moduleload syncprov" : "")
            \(tls)sizelimit \(options.sizeLimit)
            authz-regexp "gidNumber=.*,cn=peercred,cn=external,cn=auth" "uid=person0,ou=people,dc=example,dc=org"
            database mdb
            suffix dc=example,dc=org
            rootdn \(administrator)
            rootpw "\(password)"
            directory \(folder)/data
            dbnosync
            maxsize 8000000000
            index objectClass,entryUUID,entryCSN,modifyTimestamp eq
            \(options.synchronises ? "overlay syncprov\nsyncprov-sessionlog 1000\nsyncprov-reloadhint TRUE" : "")

            """
    }

    /// Numbered people; `photo`: of each.
    static func people(_ numbers: Range<Int>, photo: (Int) -> [UInt8]? = { _ in nil }) -> String {
        numbers.map { number in
            var entry = """
                dn: uid=person\(number),ou=people,dc=example,dc=org
                objectClass: inetOrgPerson
                uid: person\(number)
                cn: Person \(number)
                sn: \(number)
                mail: person\(number)@example.org

                """
            if let photo = photo(number) { entry += "jpegPhoto:: \(Data(photo).base64EncodedString())\n" }
            return entry + "\n"
        }.joined()
    }
}

/// Ports of loopback.
enum FreePort {
    /// A port that was free a moment ago: for servers that cannot choose one themselves and say which.
    static func find() throws -> Int {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        return try bind(socket)
    }

    /// Gives a socket a port that is its own.
    static func bind(_ socket: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Foundation.bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
            }
        }
        guard isBound else { throw Slapd.Problem(text: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// A certificate for 127.0.0.1 and its key, `server.pem` and `server.key`, that no authority signed.
enum Certificate {
    /// `names`: of hosts.
    static func make(in folder: TemporaryFolder, names: [String] = ["localhost"]) throws {
        let alternatives = (["IP:127.0.0.1"] + names.map { "DNS:\($0)" }).joined(separator: ",")
        let result = try ShellCommand.run(
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days",
            "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(alternatives)", "-keyout",
            folder.pathString + "/server.key", "-out", folder.pathString + "/server.pem")
        guard result.status == 0 else { throw Slapd.Problem(text: result.output) }
    }
}
