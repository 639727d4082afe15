import Foundation
import Testing
import TondoTestSupport

@testable import TondoSync

/// `tondo sync add` of directories.
@Suite(.blocking, .enabled(if: Slapd.isInstalled)) struct AddDirectoryTests {
    private let folder: TemporaryFolder
    private let server: Slapd
    private let url: String

    init() throws {
        folder = try TemporaryFolder()
        var options = Slapd.Options()
        options.people = Slapd.people(0..<7)
        server = try Slapd(options)
        url = "ldapi://\(server.socket.replacing("/", with: "%2F"))/ou=people,\(Slapd.base)"
        try folder.write("sync-dir = \"\(folder.pathString)/mirrors\"\n", to: "tondo.toml")
    }

    private func run(_ words: String..., input: String = "") throws -> (status: Int32, text: String) {
        let (process, output, typed) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("tondo"))
        process.arguments = ["sync"] + words + ["--config", folder.pathString + "/tondo.toml"]
        process.environment = ["HOME": folder.pathString, "PATH": "/usr/bin:/bin"]
        (process.standardInput, process.standardOutput, process.standardError) = (typed, output, output)
        try process.run()
        try typed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try typed.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    private var settings: String {
        get throws {
            folder.exists("tondo.sync.toml") ? String(decoding: try folder.bytes("tondo.sync.toml"), as: UTF8.self) : ""
        }
    }

    @Test
    func `an anonymous bind is added, with the number of people`() throws {
        let added = try run("add", "staff", url)
        #expect(added.status == 0 && added.text.contains("found 7 people"), "\(added.text)")
        #expect(try !settings.contains("user"))
        let fetched = try run("staff")
        #expect(fetched.text.contains("7 added"), "\(fetched.text)")
    }

    @Test
    func `a bind with a name asks for its password, and keeps it in a private file`() throws {
        let added = try run("add", "staff", url, "--user", Slapd.administrator, input: Slapd.password + "\n")
        #expect(added.status == 0 && added.text.contains("found 7 people"), "\(added.text)")
        #expect(try settings.contains("user = \"\(Slapd.administrator)\""))
        #expect(try !settings.contains(Slapd.password) && !added.text.contains(Slapd.password))
        #expect(try folder.bytes("secrets/staff") == Array((Slapd.password + "\n").utf8))
        #expect(try run("staff").text.contains("7 added"))
    }

    @Test
    func `a refused password adds nothing`() throws {
        let before = try settings
        let added = try run("add", "staff", url, "--user", Slapd.administrator, input: "wrong\n")
        #expect(added.status == 1 && added.text.contains("nothing was added"), "\(added.text)")
        #expect(try settings == before && !folder.exists("secrets"))
    }

    @Test
    func `a filter counts its people`() throws {
        let added = try run("add", "staff", url + "?(cn=Person%203)")
        #expect(added.text.contains("found 1 person\n"), "\(added.text)")
        #expect(try run("staff").text.contains("1 added"))
    }

    @Test
    func `a URL of another kind, and TLS where there is none to start, are usage errors`() throws {
        #expect(try run("add", "staff", "ftp://example.org/").status == 64)
        #expect(try run("add", "staff", url, "--starttls").status == 64)
    }
}
