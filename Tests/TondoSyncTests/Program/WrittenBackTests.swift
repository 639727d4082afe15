import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Changes that the commands make in a mirror, at servers that people use.
@Suite(
    .blocking, .enabled(if: RealServer.isInstalled, "Tests/Sync/environment makes the servers' environment"),
    .serialized)
struct WrittenBackTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The output of a command, with the configuration of the account. `status`: its exit status.
    @discardableResult
    private func tondo(_ words: [String], status: Int32 = 0, at line: Int = #line) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("tondo"))
        process.arguments = words
        process.environment = [
            "HOME": folder.pathString, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": folder.pathString + "/config",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == status, "line \(line): \(words): \(text)")
        return text
    }

    /// Two mirrors of one account: changes are made in `office`, and `officetwo`, which comes after it, shows what the server has.
    private func configure(_ server: RealServer) throws {
        let account = """
            url = "\(server.account)"
            user = "ada"
            password-file = "\(server.secret)"
            """
        try folder.write(
            """
            sync-dir = "\(folder.pathString)/mirrors"
            [sync.office]
            \(account)
            writable = true
            [sync.officetwo]
            \(account)
            """, to: "config/tondo/tondo.toml")
    }

    private var cards: String { folder.pathString + "/mirrors/office/cards" }

    private func isAtServer(_ name: String) -> Bool { folder.exists("mirrors/officetwo/cards/\(name)") }

    @Test(arguments: RealServer.Kind.allCases)
    func `what the commands change in a mirror is changed at its server`(kind: RealServer.Kind) throws {
        let server = try RealServer(kind)
        for name in ["ada", "bob", "eve"] { try server.put("\(name).vcf", FakeAddressBook.card(name)) }
        try configure(server)
        try tondo(["sync"])
        try tondo(["photos", "set", cards, "uid-ada", Repository.path(Repository.small)])
        try tondo(["contacts", "rm", cards, "uid-bob", "--yes"])
        #expect(try tondo(["sync", "status", "office"]).contains("2 changes for the server wait"))
        #expect(try tondo(["sync"]).contains("2 sent"))
        let card = try folder.bytes("mirrors/officetwo/cards/uid-ada.vcf")
        #expect(SentCard(card)?.picture?.bytes == [UInt8](try Repository.data(Repository.small)))
        #expect(!isAtServer("uid-bob.vcf") && isAtServer("uid-eve.vcf"))
        try tondo(["contacts", "restore", cards, "uid-bob"])
        #expect(try tondo(["sync"]).contains("1 sent"))
        #expect(isAtServer("uid-bob.vcf"))
        #expect(!(try tondo(["sync", "status", "office"])).contains("wait"))
    }

    @Test func `a change of a mirror that is only read is refused, and nothing is sent`() throws {
        let server = try RealServer(.radicale)
        try server.put("ada.vcf", FakeAddressBook.card("ada"))
        try configure(server)
        try tondo(["sync"])
        let other = folder.pathString + "/mirrors/officetwo/cards"
        let text = try tondo(["contacts", "rm", other, "uid-ada", "--yes"], status: 1)
        #expect(text.contains("writable = true"))
    }

    @Test func `a damaged file of a change is named by the run and by the status`() throws {
        let server = try RealServer(.radicale)
        try server.put("ada.vcf", FakeAddressBook.card("ada"))
        try configure(server)
        try tondo(["sync"])
        try tondo(["photos", "set", cards, "uid-ada", Repository.path(Repository.small)])
        let name = try #require(try folder.files(below: "mirrors/office/pending").first { $0.hasSuffix(".json") })
        try folder.write("{", to: "mirrors/office/pending/\(name)")
        for words in [["sync", "office"], ["sync", "status", "office"]] {
            #expect(try tondo(words).contains("pending/\(name): "))
        }
    }

    @Test func `a photo is made smaller by the program that draws, and its crop with it`() throws {
        let photo = try Repository.data(Repository.sample).base64EncodedString()
        let card = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            UID:ada\r
            FN:Ada\r
            NOTE:stays\r
            PHOTO;ENCODING=b;TYPE=JPEG;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&1024&1024&AAAA:\(photo)\r
            END:VCARD\r

            """
        let path = FilePath(folder.pathString).appending("fitting")
        let shrinker = PhotoShrinker(program: try BuiltProgram.path("tondo"), folder: path)
        let fitted = try #require(shrinker.card(Array(card.utf8), bound: 20_000))
        let picture = try #require(SentCard(fitted)?.picture)
        #expect(picture.bytes.count <= 20_000 && (1..<1_024).contains(picture.crop?.width ?? 0))
        #expect(String(decoding: fitted, as: UTF8.self).contains("NOTE:stays\r\n"))
        #expect(!folder.exists("fitting"))
        #expect(shrinker.card(fitted, bound: 20_000) == nil)
    }
}
