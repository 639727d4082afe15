import Foundation
import TondoTestSupport

/// A CardDAV server over https on loopback, with a certificate of its own: an address book without cards, for the user `ada`
/// with the password `pw`. Its path `/plain/` leads to http at another host, `/inner/` at its own.
final class SecureBook {
    let port: Int
    private let folder: TemporaryFolder
    private let process = Process()

    var certificate: String { folder.pathString + "/server.pem" }

    /// The first line of each request.
    var requests: [String] {
        let text = (try? folder.bytes("log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// `names`: of the certificate, beside 127.0.0.1.
    init(names: [String] = ["localhost"]) throws {
        folder = try TemporaryFolder()
        try Certificate.make(in: folder, names: names)
        try folder.write(Self.program, to: "server.py")
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["server.py"]
        process.currentDirectoryURL = URL(filePath: folder.pathString)
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let end = ContinuousClock.now + .seconds(300)
        while !folder.exists("port") {
            guard ContinuousClock.now < end, process.isRunning else {
                throw Slapd.Problem(text: "the server does not start")
            }
            usleep(20_000)
        }
        // A port of its own choice: another test may take one that was free a moment ago.
        port = try Int(String(decoding: folder.bytes("port"), as: UTF8.self)) ?? 0
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static let program = """
        import base64, http.server, os, ssl

        class Book(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                log.write(self.command + " " + self.path + chr(10))
                log.flush()
                known = "Basic " + base64.b64encode(b"ada:pw").decode()
                types = "<resourcetype><collection/><C:addressbook/></resourcetype>"
                own = f"<response><href>/book/</href><propstat><prop>{types}</prop></propstat></response>"
                body = f'<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">{own}<sync-token>1</sync-token></multistatus>'
                status = 401 if self.headers.get("Authorization") != known else 207 if self.path == "/book/" else 404
                body = body.encode() if status == 207 else b""
                status = 302 if self.path in ("/plain/", "/inner/") else status
                self.send_response(status)
                if status == 302:
                    host = "localhost" if self.path == "/plain/" else "127.0.0.1"
                    self.send_header("Location", f"http://{host}:1/book/")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_PROPFIND = do_REPORT = answer

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Book)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("server.pem", "server.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        log = open("log", "w")
        with open("port.new", "w") as file:
            file.write(str(server.server_port))
        os.rename("port.new", "port")
        server.serve_forever()
        """
}
