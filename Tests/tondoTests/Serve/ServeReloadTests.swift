import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ServeReloadTests {
    private let served: ServedBook

    init() throws {
        served = try ServedBook()
        try served.folder.makeFolder("friends")
        try served.folder.write(Data(LoadedBook.card("cy").utf8), to: "friends/cy.vcf")
        try configure(#"books = ["book"]"#)
    }

    private func configure(_ text: String) throws {
        try served.folder.write(Data((text + "\n").utf8), to: "tondo.toml")
    }

    private func reload(_ running: RunningTondo) throws -> String {
        running.signal(SIGHUP)
        #expect(try served.manager.wait(for: "RELOADING=1").contains("\nMONOTONIC_USEC="))
        return try served.manager.wait(for: "READY=1")
    }

    @Test func `A reload adds a book, and a connection stays`() throws {
        let running = try served.serve(["--config", "tondo.toml"])
        let client = try ServiceClient(address: served.socket)
        #expect(try client.get("/nothing").status == 404)
        try served.manager.wait(for: "STATUS=2 contacts, 4 avatars")
        try configure(#"books = ["book", "friends"]"#)
        #expect(try reload(running).contains("3 contacts"))
        try served.manager.wait(for: "STATUS=3 contacts, 6 avatars")
        #expect(try client.get("/nothing").status == 404)
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    @Test(.timeLimit(.minutes(15)))
    func `A reload that is asked for before the service handles signals is done later`() throws {
        // A pipe in the place of the settings holds the start up where they are read.
        let pipe = served.folder.pathString + "/tondo.toml"
        try FileManager.default.removeItem(atPath: pipe)
        #expect(mkfifo(pipe, 0o600) == 0)
        let running = try served.start(["--config", "tondo.toml"])
        let settings = open(pipe, O_WRONLY | O_CLOEXEC)
        try FileManager.default.removeItem(atPath: pipe)
        try configure(#"books = ["book", "friends"]"#)
        running.signal(SIGHUP)
        let first = Data("books = [\"book\"]\n".utf8)
        #expect(first.withUnsafeBytes { write(settings, $0.baseAddress, $0.count) } == first.count)
        close(settings)
        try running.wait(forError: "tondo: reloaded\n")
        try served.manager.wait(for: "STATUS=3 contacts, 6 avatars")
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    @Test func `A reload of an invalid configuration changes nothing and reports the line`() throws {
        let running = try served.serve(["--config", "tondo.toml"])
        try configure("books = [\"book\"]\nlog-level = \"debug\"\njobs = \"many\"")
        #expect(try reload(running).contains("STATUS=the configuration is not changed: tondo.toml:3: jobs"))
        try running.wait(forError: "tondo: error: tondo.toml:3: jobs must be a whole number\n")
        try running.wait(forError: "tondo: error: not reloaded: the configuration stays as it was\n")
        #expect(try ServiceClient(address: served.socket).get("/nothing").status == 404)
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    @Test func `Settings that need a restart are reported`() throws {
        let running = try served.serve(["--config", "tondo.toml"])
        try configure("books = [\"book\"]\njobs = 1")
        _ = try reload(running)
        try running.wait(forError: "tondo: warning: a new jobs takes effect at the next start\n")
    }

    @Test func `Limits are taken over, and connections stay`() throws {
        let running = try served.serve(["--config", "tondo.toml"])
        let client = try ServiceClient(address: served.socket)
        #expect(try client.get("/healthz").status == 200)
        try configure("books = [\"book\"]\nconnections = 1\ncache-max-size = \"5MB\"")
        _ = try reload(running)
        #expect(throws: (any Error).self) { try ServiceClient(address: served.socket).get("/healthz") }
        #expect(try client.get("/healthz").status == 200)
        running.signal(SIGTERM)
        let output = try running.finish()
        #expect(output.status == 0 && !output.error.contains("counts from the next start on"))
    }

    @Test func `A host's new name is known after a reload, an old one no longer`() throws {
        try configure("books = [\"book\"]\nhosts = [\"old.example\"]")
        let running = try served.serve(["--config", "tondo.toml"])
        try configure("books = [\"book\"]\nhosts = [\"new.example\"]")
        _ = try reload(running)
        // Known, and from beyond this machine: it needs the token.
        #expect(try status(host: "new.example") == 401)
        #expect(try status(host: "old.example") == 421)
    }

    private func status(host: String) throws -> Int {
        try ServiceClient(address: served.socket, timeout: 300).begin("/nothing", fields: [("Host", host)]).status
    }
}
