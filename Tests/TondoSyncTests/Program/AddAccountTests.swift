import Dispatch
import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoSync

/// `tondo sync add` of accounts, by the built programs.
@Suite(.blocking, .timeLimit(.minutes(15))) struct AddAccountTests {
    private let folder: TemporaryFolder
    private let book: FakeAddressBook

    init() throws {
        (folder, book) = (try TemporaryFolder(), try FakeAddressBook())
        book.put("ada.vcf")
        try folder.write("books = [\"/b\"]\n", to: "real.toml")
        try folder.link("tondo.toml", to: "real.toml")
    }

    private func run(_ words: [String]) throws -> (status: Int32, text: String) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("tondo"))
        process.arguments = words + ["--config", folder.pathString + "/tondo.toml"]
        process.environment = ["HOME": folder.pathString, "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    private func text(_ name: String) throws -> String { String(decoding: try folder.bytes(name), as: UTF8.self) }

    @Test func `Four accounts that are added at once are all there, and a name is taken once`() throws {
        let names = ["one", "two", "three", "four", "one"]
        let ended = Locked<[(status: Int32, text: String)]>([])
        DispatchQueue.concurrentPerform(iterations: names.count) { number in
            let outcome = try? run(["sync", "add", names[number], book.url])
            ended.withLock { $0.append(outcome ?? (status: -1, text: "not started")) }
        }
        let outcomes = ended.withLock { $0 }
        #expect(outcomes.map(\.status).sorted().dropLast() == [0, 0, 0, 0], "\(outcomes)")
        let sources = try text("tondo.sync.toml").split(separator: "\n").filter { $0.hasPrefix("[") }
        #expect(sources.sorted() == ["[sync.four]", "[sync.one]", "[sync.three]", "[sync.two]"])
    }

    @Test func `What is appended to the configuration afterwards is a setting of the service`() throws {
        let added = try run(["sync", "add", "work", book.url])
        #expect(added.status == 0, "\(added.text)")
        #expect(folder.path.appending("tondo.toml").linkTarget == "real.toml")
        try folder.write(try text("real.toml") + "hosts = [\"avatars.example.org\"]\n", to: "real.toml")
        let shown = try run(["config", "show"])
        #expect(
            shown.text.contains("hosts = [\"avatars.example.org\"]") && shown.text.contains("sync.work.url"),
            "\(shown.text)")
        #expect(try text("real.toml") == "books = [\"/b\"]\nhosts = [\"avatars.example.org\"]\n")
    }

    @Test(arguments: ["https://ada:geheim@dav.example.org/", "ldaps://ada:geheim@ldap.example.org/dc=x"])
    func `A URL with a password is refused without showing it`(url: String) throws {
        let outcome = try run(["sync", "add", "work", url])
        #expect(outcome.status == 64 && outcome.text.contains("--user") && !outcome.text.contains("geheim"))
        #expect(throws: (any Error).self) { try text("tondo.sync.toml") }
    }

    @Test func `A mail address names the user and the domain, and blanks around a URL mean nothing`() throws {
        let outcome = try run(["sync", "add", "work", "ada@nothing.invalid", "--password-file", "/nothing"])
        #expect(outcome.status == 1 && !outcome.text.contains("ada@nothing.invalid/"), "\(outcome.text)")
        #expect(outcome.text.contains("/nothing") && !outcome.text.contains("geheim"))
        #expect(try run(["sync", "add", "book", " \(book.url)\n"]).status == 0)
        #expect(try text("tondo.sync.toml").contains("url = \"\(book.url)\""))
    }
}
