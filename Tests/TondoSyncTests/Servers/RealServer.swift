import Foundation
import Glibc
import TondoMirror
import TondoSync
import TondoTestSupport

/// Radicale or Xandikos on loopback, with one address book of the user `ada`. Their environment is made by
/// `Tests/Sync/environment`.
final class RealServer {
    enum Kind: String, CaseIterable, Sendable { case radicale, xandikos }

    enum Failure: Error { case notStarted(String) }

    static let python = Repository.path(".build/sync-venv/bin/python")
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    let kind: Kind
    let url: String
    private let folder: TemporaryFolder
    private let process = Process()
    private let client: HTTPClient

    init(_ kind: Kind) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        let port = try Self.freePort()
        url = "http://127.0.0.1:\(port)"
        client = try Self.client(url)
        process.executableURL = URL(fileURLWithPath: Self.python)
        try folder.makeFolder("data")
        try folder.write("ada:s3cret!word\n", to: "users")
        process.arguments =
            switch kind {
            case .radicale:
                [
                    "-m", "radicale", "--config", "", "--server-hosts", "127.0.0.1:\(port)", "--auth-type", "htpasswd",
                    "--auth-htpasswd-filename", folder.pathString + "/users", "--auth-htpasswd-encryption", "plain",
                    "--storage-filesystem-folder", folder.pathString + "/data",
                ]
            case .xandikos:
                [
                    "-m", "xandikos", "serve", "-d", folder.pathString + "/data", "--defaults", "--autocreate",
                    "--current-user-principal", "/ada/", "-l", "127.0.0.1", "-p", "\(port)",
                ]
            }
        let log = folder.pathString + "/log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try wait()
        if kind == .radicale { try makeBook() }
    }

    deinit {
        // Radicale would first wait for connections to end.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Of the address book.
    var book: String { kind == .radicale ? "/ada/book/" : "/ada/contacts/addressbook/" }

    /// What a user would enter.
    var account: String { kind == .radicale ? url + "/" : url + "/ada/" }

    func put(_ name: String, _ card: String) throws { try send("PUT", book + name, card, type: "text/vcard") }

    func remove(_ name: String) throws { try send("DELETE", book + name, nil) }

    /// The file with the password of the user.
    var secret: String { folder.pathString + "/secret" }

    private func makeBook() throws {
        let body = """
            <mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><set><prop><resourcetype><collection/>\
            <C:addressbook/></resourcetype><displayname>Book</displayname></prop></set></mkcol>
            """
        try send("MKCOL", book, body, type: "application/xml")
    }

    private func send(_ method: String, _ path: String, _ body: String?, type: String = "") throws {
        var request = HTTPRequest(method: method, url: WebURL(url + path)!)
        if !type.isEmpty { request.headers = [("Content-Type", type)] }
        request.body = body.map { Array($0.utf8) }
        let response = try client.send(request)
        guard 200..<300 ~= response.status else {
            throw Failure.notStarted(
                "\(method) \(path): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    private static func client(_ url: String) throws -> HTTPClient {
        var options = HTTPClient.Options()
        options.credentials = Credentials(
            origin: WebURL(url)!.origin, user: "ada", secret: Secret("s3cret!word")!, authentication: .basic)
        return HTTPClient(options: options)
    }

    /// Until it answers.
    private func wait() throws {
        try folder.write("s3cret!word\n", to: "secret")
        let end = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < end, process.isRunning {
            if (try? client.send(HTTPRequest(method: "OPTIONS", url: WebURL(url + "/")!))) != nil { return }
            usleep(50_000)
        }
        throw Failure.notStarted(String(decoding: try folder.bytes("log"), as: UTF8.self))
    }

    private static func freePort() throws -> Int {
        let server = try ScriptedServer { _ in .init() }
        defer { server.stop() }
        return server.port
    }
}
