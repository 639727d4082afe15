import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

/// `tondo sync discover`
@Suite(.blocking) struct DiscoverTests {
    private let home: TemporaryFolder
    private let file = ".config/tondo/tondo.toml"

    /// A home folder with books of phones and of khard, an account, and databases.
    init() throws {
        home = try TemporaryFolder()
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n"
        try home.write(card, to: ".local/share/kpeoplevcard/kdeconnect-1/ada.vcf")
        try home.write(card, to: "family/ada.vcf")
        try home.write("[addressbooks]\n[[family]]\npath = ~/family\n", to: ".config/khard/khard.conf")
        try home.write(
            "[storage a]\ntype = \"carddav\"\nurl = \"https://ada:secret@dav.example.org/\"\n",
            to: ".config/vdirsyncer/config")
        for name in [
            ".thunderbird/x.default/abook.sqlite", ".thunderbird/x.default/history.sqlite",
            ".var/app/org.gnome.Evolution/data/evolution/addressbook/x/contacts.db",
        ] {
            try home.write("SQLite format 3", to: name)
        }
    }

    private func discover(_ words: String...) throws -> (status: Int32, text: String) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("tondo"))
        process.arguments = ["sync", "discover"] + words
        process.environment = ["HOME": home.pathString, "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    private func text() throws -> String { String(decoding: try home.bytes(file), as: UTF8.self) }

    @Test func `All is listed with what to do, and no secret`() throws {
        let outcome = try discover()
        #expect(outcome.status == 0 && !outcome.text.contains("secret"), "\(outcome.text)")
        let lines = Set(outcome.text.split(separator: "\n").map { $0.split(separator: "\t").suffix(2) })
        for line in [
            ["KDE Connect", "new"], ["khard", "new"], ["vdirsyncer", "needs 'tondo sync add'"],
            ["Thunderbird", "new"], ["Thunderbird", "needs 'tondo sync add'"],
            ["Evolution", "not read: export it there"],
        ] {
            #expect(lines.contains(line.map { $0[...] }[...]), "\(line)")
        }
        #expect(!home.exists(file))
    }

    @Test func `Nothing is written without a confirmation`() throws {
        for words in [["--dry-run"], ["--json"], ["--dry-run", "--json"]] {
            #expect(try discover(words.first ?? "", words.last ?? "").status == 0)
            #expect(!home.exists(file))
        }
        #expect(try discover("--dry-run", "--yes").status == 64)
    }

    @Test func `The books are added once, and read by all commands`() throws {
        #expect(try discover("--yes").status == 0)
        let root = home.path.withoutLinks.string
        #expect(try text() == "books = [\"\(root)/family\", \"\(root)/.local/share/kpeoplevcard\"]\n")
        let again = try discover("--yes")
        #expect(again.status == 0 && again.text.contains("khard\tconfigured"), "\(again.text)")
        #expect(try text().split(separator: "\n").count == 1)
    }

    @Test func `Books in databases become sources once, under free names, without addresses that were collected`()
        throws
    {
        try home.write("[sync.thunderbird]\nurl = \"https://h/\"", to: ".config/tondo/tondo.sync.toml")
        #expect(try discover("--yes").status == 0)
        let url = "thunderbird:\(home.path.pushing(".thunderbird/x.default/abook.sqlite"))"
        let sources = "[sync.thunderbird]\nurl = \"https://h/\"\n\n[sync.thunderbird-2]\nurl = \"\(url)\"\n"
        #expect(try home.bytes(".config/tondo/tondo.sync.toml") == Array(sources.utf8))
        #expect(try discover("--yes").text.contains("Thunderbird\tconfigured"))
        #expect(try home.bytes(".config/tondo/tondo.sync.toml") == Array(sources.utf8))
    }

    @Test func `Other settings stay, and other books are not changed`() throws {
        try home.write("# Mine.\ncrop = 7\n", to: "tondo.toml")
        let other = home.pathString + "/tondo.toml"
        #expect(try discover("--yes", "--config", other).status == 78)
        try home.write("listen = [\"127.0.0.1:1\"]\n", to: "tondo.toml")
        #expect(try discover("--yes", "--config", other).status == 0)
        let added = String(decoding: try home.bytes("tondo.toml"), as: UTF8.self)
        #expect(added.hasPrefix("books = [") && added.hasSuffix("\n\nlisten = [\"127.0.0.1:1\"]\n"))
        try home.write("books = [\"/b\"]\n", to: "tondo.toml")
        let outcome = try discover("--yes", "--config", other)
        #expect(outcome.status == 1 && outcome.text.contains("add there: books = ["), "\(outcome.text)")
        #expect(String(decoding: try home.bytes("tondo.toml"), as: UTF8.self) == "books = [\"/b\"]\n")
    }
}
