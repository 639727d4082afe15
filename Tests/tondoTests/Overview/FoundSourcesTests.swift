import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import tondo

/// A home folder with books of other programs.
@Suite struct FoundSourcesTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private var found: FoundSources { FoundSources(environment: ["HOME": home.pathString]) }

    private func found(_ folder: String) -> String? {
        let path = home.path.withoutLinks.pushing(FilePath(folder))
        return found.books.first { $0.path == path }?.programs.joined(separator: " and ")
    }

    private func write(_ names: String...) throws { for name in names { try home.write(SmallBook.ada, to: name) } }

    private func configureVdirsyncer(_ storages: String) throws {
        try home.write("[general]\nstatus_path = \"~/status\"\n" + storages, to: ".config/vdirsyncer/config")
    }

    @Test func `The usual folder is found if it has cards`() throws {
        try home.makeFolder(".contacts")
        #expect(found.books.isEmpty)
        try write(".contacts/ada.vcf")
        #expect(found(".contacts") == "")
    }

    @Test func `Cards may be one folder below, and files of other kinds are none`() throws {
        try write(".contacts/home/.ada.vcf", ".contacts/home/ada.vcf.tmp", ".contacts/calendar/ada.ics")
        #expect(found.books.isEmpty)
        try write(".contacts/home/ada.vcf")
        #expect(found(".contacts") == "")
    }

    @Test func `A folder of vdirsyncer is found, and no calendar`() throws {
        try configureVdirsyncer(
            """
            [storage calendars]
            type = "filesystem"
            path = "~/events/"
            fileext = ".ics"

            [storage people]
            # A comment.
            type = "filesystem"
            path = "~/people/"
            fileext = ".vcf"
            """)
        try write("people/family/ada.vcf", "events/ada.vcf")
        #expect(found("people") == "vdirsyncer" && found.books.count == 1)
    }

    @Test func `An account has no user and no password`() throws {
        try configureVdirsyncer(
            """
            [storage server]
            type = "carddav"
            url = "https://ada:secret@dav.example.org/ada/?a#b"
            username = "ada"
            password = "secret"
            """)
        #expect(found.accounts == [.init(url: "https://dav.example.org/ada/", program: "vdirsyncer")])
    }

    @Test func `A folder of khard is found, also one with a pattern and one with a comment`() throws {
        let text = """
            [addressbooks]
            [[family]]
            path = $HOME/family/ # theirs
            [[all]]
            path = ~/all/*
            [general]
            editor = vim
            """
        try home.write(text, to: ".config/khard/khard.conf")
        try write("family/ada.vcf", "all/one/ada.vcf")
        #expect(found("family") == "khard" && found("all") == "khard")
    }

    @Test func `The contacts of phones are found`() throws {
        try write(".local/share/kpeoplevcard/kdeconnect-1/ada.vcf")
        #expect(found(".local/share/kpeoplevcard") == "KDE Connect")
    }

    @Test func `Books in databases are found in each profile, and no other databases`() throws {
        let names = [
            ".thunderbird/a.default/abook.sqlite", ".thunderbird/a.default/abook-1.sqlite",
            ".thunderbird/b.default/history.sqlite", ".local/share/evolution/addressbook/system/contacts.db",
            "snap/thunderbird/common/.thunderbird/c/abook.sqlite",
        ]
        for name in names + [
            ".thunderbird/a.default/places.sqlite", ".thunderbird/a.default/abook.sqlite-wal",
            ".thunderbird/profiles.ini", ".thunderbird/abook.sqlite",
        ] {
            try home.write("SQLite format 3", to: name)
        }
        let found = FoundSources.databases(in: home.path)
        #expect(Set(found.map(\.path)) == Set(names.map { home.path.pushing(FilePath($0)) }))
        #expect(found.filter { $0.program == "Evolution" }.map(\.url) == ["evolution:system-address-book"])
        #expect(found.filter { $0.program == "Thunderbird" }.allSatisfy { $0.url == "thunderbird:\($0.path)" })
        let profile = home.path.pushing(".thunderbird/a.default")
        #expect(
            found.map(\.path).filter { $0.starts(with: profile) }.map(\.lastComponent) == [
                "abook.sqlite", "abook-1.sqlite",
            ])
    }

    @Test func `A book of a flatpak of Evolution is found, and has no source`() throws {
        try home.write("SQLite format 3", to: ".var/app/org.gnome.Evolution/data/evolution/addressbook/x/contacts.db")
        #expect(FoundSources.databases(in: home.path).map(\.url) == [nil])
    }

    @Test func `A folder in another one is a part of that one`() throws {
        try configureVdirsyncer("[storage a]\ntype = \"filesystem\"\npath = \"~/.contacts/\"\nfileext = \".vcf\"\n")
        try home.write("[addressbooks]\n[[family]]\npath = ~/.contacts/family\n", to: ".config/khard/khard.conf")
        try write(".contacts/family/ada.vcf")
        #expect(found(".contacts") == "vdirsyncer and khard" && found.books.count == 1)
    }

    @Test func `The outer folder takes the place of an inner one`() throws {
        try home.write("[addressbooks]\n[[family]]\npath = ~/.contacts/family\n", to: ".config/khard/khard.conf")
        try write(".contacts/family/ada.vcf")
        #expect(found(".contacts") == "khard" && found.books.count == 1)
    }

    @Test func `A configuration that is no text is no book`() throws {
        try home.write([0xFF, 0x00, 0x5B, 0xFE], to: ".config/khard/khard.conf")
        try home.makeFolder(".config/vdirsyncer/config")
        #expect(found.books.isEmpty && found.accounts.isEmpty)
    }

    @Test func `Without a home folder there is nothing`() {
        let found = FoundSources(environment: [:])
        #expect(found.books.isEmpty && found.accounts.isEmpty)
    }
}
