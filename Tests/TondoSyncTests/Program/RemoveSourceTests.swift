import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoTestSupport

/// `tondo sync remove`
@Suite(.blocking) struct RemoveSourceTests {
    private let folder: TemporaryFolder
    private let layout: MirrorLayout

    /// Two sources, and a mirror of one.
    init() throws {
        folder = try TemporaryFolder()
        layout = MirrorLayout(name: "office", in: folder.path.appending("mirrors"))
        _ = try folder.write("sync-dir = \"\(folder.pathString)/mirrors\"\n", to: "tondo.toml")
        let home = Self.table("home")
        _ = try folder.write(home + "\n" + Self.table("office"), to: "tondo.sync.toml")
        _ = try folder.write("BEGIN:VCARD", to: "mirrors/office/cards/ada.vcf")
        _ = try folder.write("", to: "mirrors/office/lock")
    }

    private static func table(_ name: String) -> String {
        "[sync.\(name)]\nurl = \"https://dav.example.org/\"\nuser = \"ada\"\npassword-file = \"/secrets/\(name)\"\n"
    }

    private func remove(_ words: String...) throws -> (status: Int32, text: String) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("tondo"))
        process.arguments = ["sync", "remove"] + words + ["--config", folder.pathString + "/tondo.toml"]
        process.environment = ["HOME": folder.pathString, "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    private var sources: String {
        get throws { String(decoding: try folder.bytes("tondo.sync.toml"), as: UTF8.self) }
    }

    private func wait() throws {
        let change = PendingChange(
            id: "/a", account: "", file: "ada.vcf", name: "Ada", etag: "", before: nil, after: [0x41])
        try PendingChanges(layout).add(change, current: nil) {}
    }

    @Test func `The table goes, and what stays is named`() throws {
        let outcome = try remove("office")
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(try sources == Self.table("home"))
        #expect(folder.exists("mirrors/office/cards/ada.vcf"))
        #expect(outcome.text.contains("the cards are still in \(layout.cards)"))
        #expect(outcome.text.contains("the password is still in /secrets/office"))
    }

    @Test func `A damaged file of a change keeps the mirror, too`() throws {
        _ = try folder.write("{", to: "mirrors/office/pending/a.json")
        let outcome = try remove("office", "--delete-mirror")
        #expect(outcome.status == 1 && outcome.text.contains("pending/a.json"), "\(outcome.text)")
        #expect(folder.exists("mirrors/office/pending/a.json"))
    }

    @Test func `The mirror goes if that is asked for`() throws {
        #expect(try remove("office", "--delete-mirror").status == 0)
        #expect(!folder.exists("mirrors/office") && folder.exists("mirrors"))
    }

    @Test func `Changes that wait for the server are not given up without a word`() throws {
        try wait()
        let outcome = try remove("office", "--delete-mirror")
        #expect(outcome.status == 1 && outcome.text.contains("1 change for the server waits"))
        #expect(outcome.text.contains("  Ada\n") && folder.exists("mirrors/office/cards/ada.vcf"))
        #expect(try sources.contains("[sync.office]"))
        #expect(try remove("office", "--force").status == 0)
        #expect(folder.exists("mirrors/office/pending"))
    }

    @Test func `A mirror that a run is writing is not deleted`() throws {
        let file = try FileDescriptor.open(layout.lock, .readWrite)
        defer { try? file.close() }
        try #require(flock(file.rawValue, LOCK_EX | LOCK_NB) == 0)
        let outcome = try remove("office", "--delete-mirror")
        #expect(outcome.status == 1 && outcome.text.contains("a run of 'tondo sync' is writing the mirror"))
        #expect(try sources.contains("[sync.office]"))
    }

    @Test func `A source of the configuration itself is left to the user`() throws {
        _ = try folder.write(Self.table("school"), to: "tondo.toml")
        let outcome = try remove("school")
        #expect(outcome.status == 1 && outcome.text.contains("/tondo.toml: remove it there"))
    }

    @Test func `An unknown source is wrong usage`() throws { #expect(try remove("wrok").status == 64) }
}
