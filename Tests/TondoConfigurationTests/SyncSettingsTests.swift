import SystemPackage
import Testing
import TondoMirror

@testable import TondoConfiguration

@Suite struct SyncSettingsTests {
    private func read(_ text: String) -> ConfigurationSource.Reading {
        let environment = ["HOME": "/h"]
        return ConfigurationSource(file: nil, environment: environment).read(
            ConfigurationFile(name: "t.toml", text: text, home: "/h"), variables: environment)
    }

    @Test func `Sources are tables, and their mirrors are served after the books`() throws {
        let reading = read(
            """
            books = ["/b"]

            [sync.work]
            url = "https://dav.example.org/"
            user = "ada"
            password-file = "~/secret"

            [sync.home]
            url = "http://127.0.0.1:5232/"
            password-command = ["pass", "show dav"]
            """)
        #expect(reading.problems.isEmpty)
        let sources = reading.configuration.syncSources
        #expect(sources.map(\.name) == ["home", "work"])
        #expect(sources[0].secret.command == ["pass", "show dav"])
        #expect(sources[1].secret.file == "/h/secret" && sources[1].user == "ada")
        #expect(sources.allSatisfy { $0.kind == .carddav && $0.authentication == .auto && !$0.isInsecure })
        let state: FilePath = "/h/.local/state/tondo/sync"
        #expect(
            reading.configuration.servedBooks == [
                "/b", state.appending("home").appending("cards"), state.appending("work").appending("cards"),
            ])
        let written = reading.configuration.written.map { "\($0.name) = \($0.entry.value)" }
        #expect(written.contains(#"sync.work.user = "ada""#))
    }

    @Test func `A book that is named twice is served once`() {
        for books in [#""/b", "/a", "/b/""#, #""/b", "/a", "/./b/../b""#, #""file:///b", "file:///%61", "/b""#] {
            #expect(read("books = [\(books)]").configuration.servedBooks == ["/b", "/a"], "\(books)")
        }
        #expect(read(#"books = ["b", "./b", "a/../b"]"#).configuration.servedBooks == ["b"])
    }

    @Test func `A server is only written to where the source says so, and a directory never`() {
        let reading = read("[sync.a]\nurl = \"https://h/\"\nwritable = true\n[sync.b]\nurl = \"https://h/\"\n")
        #expect(reading.problems.isEmpty && reading.configuration.syncSources.map(\.isWritable) == [true, false])
        for other in ["url = \"ldaps://h/dc=h\"", "photo-hosts = [\"h\"]"] {
            let problems = read("[sync.a]\n\(other)\nwritable = true\n").problems
            #expect(problems.map(\.reason).joined().contains("writable is for CardDAV"))
        }
    }

    @Test func `A book of Evolution or Thunderbird is a source without a user`() {
        let thunderbird = "thunderbird:~/.thunderbird/a@b/abook.sqlite"
        let reading = read("[sync.a]\nurl = \"evolution:x@y\"\n[sync.b]\nurl = \"\(thunderbird)\"\n")
        #expect(reading.problems.isEmpty, "\(reading.problems)")
        #expect(reading.configuration.syncSources.map(\.kind) == [.evolution, .thunderbird])
        #expect(reading.configuration.syncSources.map(\.place) == ["x@y", "~/.thunderbird/a@b/abook.sqlite"])
    }

    @Test func `The folder of the mirrors can be elsewhere`() {
        let reading = read("sync-dir = \"/m\"\n[sync.a]\nurl = \"https://h/\"\n")
        #expect(reading.configuration.servedBooks == ["/m/a/cards"])
    }

    @Test func `A source keeps the hosts of its photos under their former name, with a warning beside a server`() {
        let reading = read("[sync.work]\nurl = \"https://h/\"\n\nhosts = [\"avatars.example.org\"]\n")
        #expect(reading.problems.isEmpty && reading.configuration.hosts.value.isEmpty)
        #expect(reading.configuration.syncSources.map(\.hosts) == [["avatars.example.org"]])
        #expect(reading.obsolete.map(\.origin) == [.file("t.toml", line: 4)])
        #expect(reading.obsolete.first?.reason.contains("photo-hosts") == true)
        #expect(read("[sync.a]\nurl = \"https://h/\"\nphoto-hosts = [\"h\"]\n").obsolete.isEmpty)
        let both = read("[sync.a]\nhosts = [\"h\"]\nphoto-hosts = [\"h\"]\n").problems
        #expect(both.count == 1 && both[0].reason.contains("the source has, too"))
    }

    @Test func `Photos of books are no book`() {
        let reading = read("[sync.photos]\nhosts = [\"h.example.org\"]\n")
        #expect(reading.problems.isEmpty && reading.configuration.servedBooks.isEmpty)
        #expect(reading.configuration.syncSources.map(\.kind) == [.photos])
    }

    @Test(arguments: [
        ("sync = 1", "sources are tables"), ("[sync.A]\nurl = \"https://h/\"", "a source is a table named by"),
        ("[sync.status]\nurl = \"https://h/\"", "a source is a table named by"),
        ("[sync.a]\nuser = \"x\"", "a source needs url"), ("[sync.a]\nurl = \"ftp://h/\"", "url must begin with"),
        ("[sync.a]\nurl = \"https://u:p@h/\"", "url must hold no user and no password"),
        ("[sync.a]\nurl = \"https://h/\"\npassword = \"x\"", "a source has no 'password'"),
        ("[sync.a]\nurl = \"https://h/\"\npassword-file = \"x\"\ncredential = \"y\"", "only one of"),
        ("[sync.a]\nurl = \"https://h/\"\ncredential = \"../y\"", "a name, not a path"),
        ("[sync.a]\nurl = \"evolution:\"", "the UID of a book"),
        ("[sync.a]\nurl = \"thunderbird:a\"", "the path of a book"),
        ("[sync.a]\nurl = \"evolution:a\"\nuser = \"ada\"", "user is for servers"),
        ("[sync.a]\nurl = \"https://h/\"\nauth = \"kerberos\"", "auth must be one of"),
    ])
    func `Invalid tables are reported with their lines`(text: String, reason: String) {
        let problems = read(text).problems
        #expect(problems.contains { $0.reason.contains(reason) }, "\(problems)")
        #expect(problems.allSatisfy { $0.origin.line != nil })
    }
}
