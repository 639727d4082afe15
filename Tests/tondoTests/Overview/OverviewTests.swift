import Foundation
import SystemPackage
import Testing
import TondoConfiguration
import TondoFiles
import TondoTestSupport

@testable import tondo

/// `tondo` without arguments.
@Suite struct OverviewTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// `configuration`: TOML; nil: none, as for a new user.
    private func text(_ configuration: String? = nil, service: ServiceProbe = .absent) throws -> String {
        let environment = ["HOME": home.path.withoutLinks.string]
        if let configuration { try home.write(configuration, to: "tondo.toml") }
        let file = configuration == nil ? "/dev/null" : home.pathString + "/tondo.toml"
        let source = ConfigurationSource(file: file, environment: environment)
        let overview = Overview(
            reading: source.read(), address: .tcp(host: "127.0.0.1", port: 7380), service: service,
            found: configuration == nil ? FoundSources(environment: environment) : nil, home: environment["HOME"],
            now: Date(timeIntervalSince1970: 0))
        return overview.text(width: nil)
    }

    @Test func `A new user without a book is asked for a file`() throws {
        let text = try text()
        #expect(text.contains("found no address book") && text.contains("  tondo serve contacts.vcf\n"))
    }

    @Test func `A new user sees the books, and the command that serves them`() throws {
        try home.write(SmallBook.ada, to: ".contacts/ada.vcf")
        try home.write(SmallBook.ada, to: ".local/share/kpeoplevcard/phone/ada.vcf")
        #expect(
            try text() == """
                Tondo has no configuration.

                Found on this machine
                ~/.local/share/kpeoplevcard  a folder of vCards of KDE Connect
                ~/.contacts                  a folder of vCards

                Go on with:
                  tondo serve ~/.local/share/kpeoplevcard ~/.contacts

                All commands: tondo --help

                """)
    }

    @Test func `An account without a folder is mirrored`() throws {
        let storage = "[storage a]\ntype = \"carddav\"\nurl = \"https://dav.example.org/\"\n"
        try home.write(storage, to: ".vdirsyncer/config")
        #expect(try text().contains("\n  tondo sync add home https://dav.example.org/ --user USER\n"))
    }

    @Test func `A service that runs without a configuration is opened`() throws {
        let text = try text(service: .ready(contacts: 9, isDegraded: false))
        #expect(text.contains("a running service of Tondo: ready, 9 contacts") && text.contains("\n  tondo open\n"))
    }

    @Test func `With a configuration, books and service are shown`() throws {
        try home.write(SmallBook.ada, to: ".contacts/ada.vcf")
        let text = try text("books = [\"~/.contacts\", \"~/lost\"]\n[sync.work]\nurl = \"https://dav.example.org/\"\n")
        #expect(
            text.hasSuffix(
                """
                books           ~/.contacts
                                ~/lost, which does not exist
                                work, of tondo sync, never synchronised
                service         http://127.0.0.1:7380/: not running
                go on with      tondo serve

                All commands: tondo --help

                """), "\(text)")
    }

    @Test(arguments: [
        (ServiceProbe.ready(contacts: 1, isDegraded: false), "open"), (.ready(contacts: 1, isDegraded: true), "status"),
        (.notReady, "status"), (.other, "status"), (.absent, "serve"), (.unknown(reason: "silent"), "status"),
    ])
    func `What comes next depends on the service`(_ service: ServiceProbe, _ command: String) throws {
        let text = try text("books = [\"/\"]\n", service: service)
        #expect(text.contains("go on with      tondo \(command)\n"), "\(text)")
    }

    @Test func `A mirror that was never synchronised is synchronised first`() throws {
        let text = try text("[sync.work]\nurl = \"https://dav.example.org/\"\n")
        #expect(text.contains("go on with      tondo sync\n"), "\(text)")
    }

    @Test func `A wrong configuration is checked first`() throws {
        let text = try text("boks = []\n", service: .ready(contacts: 1, isDegraded: false))
        #expect(text.contains("tondo.toml, 1 error\n") && text.contains("tondo config check\n"), "\(text)")
    }

    @Test func `A path with blanks is quoted for the shell`() {
        #expect(ShellText.word("/people/ada/My contacts", home: "/people/ada") == "'/people/ada/My contacts'")
        #expect(ShellText.word("/people/ada/a'b", home: nil) == #"'/people/ada/a'\''b'"#)
        #expect(ShellText.word("/people/ada/.contacts", home: "/people/ada") == "~/.contacts")
    }

    @Test func `The program without arguments ends with 0, and with --help shows the help`() throws {
        let overview = try RunningTondo([], in: home, shell: #"HOME=$PWD exec "$@""#).finish()
        #expect(overview.status == 0 && overview.text.hasSuffix("All commands: tondo --help\n"), "\(overview.error)")
        #expect(try Tondo.run("--help", in: home).text.contains("SUBCOMMANDS:"))
    }
}
