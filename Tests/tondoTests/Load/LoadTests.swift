import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct LoadTests {
    private let book: LoadedBook

    init() throws { book = try LoadedBook() }

    @Test func `Events come in their order, one JSON object a line`() throws {
        try book.add("ada", photo: LoadedBook.photo(1))
        try book.add("bo")
        let outcome = try book.load("--json")
        #expect(outcome.status == 0)
        let events = try outcome.events()
        #expect(events.first == "total" && events.last == "finished")
        #expect(events.sorted() == ["avatar", "avatar", "contact", "contact", "finished", "total"])
        let numbers = try outcome.json().compactMap { $0["seq"] as? Int }
        #expect(numbers == Array(1...6))
    }

    @Test func `People read what was done in one line`() throws {
        try book.add("ada", photo: LoadedBook.photo(1))
        let first = try book.load()
        #expect(first.text.hasPrefix("1 contact, 1 avatar (0 from the cache, 1 drawn) in "))
        #expect(try book.load().text.hasPrefix("1 contact, 1 avatar (1 from the cache, 0 drawn) in "))
    }

    @Test func `A failed photo is named, and the status is 1`() throws {
        try book.add("ada", photo: LoadedBook.photo(1).prefix(30))
        try book.add("bo")
        let outcome = try book.load("--json")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("tondo: book/ada.vcf:1: Ada: truncated: "))
        #expect(try outcome.json().count { $0["event"] as? String == "avatar" } == 2)
    }

    @Test func `A broken card is named with its file and line, and the status is 1`() throws {
        try book.folder.write(Data("BEGIN:VCARD\r\nFN:A\r\n\(LoadedBook.card("bo"))".utf8), to: "book/two.vcf")
        let outcome = try book.load("--json")
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: book/two.vcf:1: malformed: no END:VCARD\n")
        #expect(try outcome.events().contains("contactFailed"))
    }

    @Test func `A book that is not there ends with 66 and the reason`() throws {
        let outcome = try Tondo.run("load", "nobody", "--cache-dir", "cache", in: book.folder)
        #expect(outcome.status == 66)
        #expect(outcome.error == "tondo: nobody: cannot be read: no such file or directory\n")
    }

    @Test func `A file that is no book says what it is`() throws {
        try book.folder.write(LoadedBook.photo(1), to: "photo.vcf")
        let outcome = try Tondo.run("load", "photo.vcf", "--cache-dir", "cache", in: book.folder)
        #expect(outcome.status == 66)
        #expect(outcome.error == "tondo: photo.vcf: not an address book but a JPEG image\n")
    }

    @Test func `A sound is not called a WebP image`() throws {
        for (kind, isImage) in [("WEBP", true), ("WAVE", false)] {
            try book.folder.write(Data("RIFF\u{24}\0\0\0\(kind)".utf8) + Data(count: 64), to: "sound.vcf")
            let outcome = try Tondo.run("load", "sound.vcf", "--cache-dir", "cache", in: book.folder)
            #expect(outcome.status == 66)
            #expect(outcome.error.contains("not an address book but a WebP image") == isImage)
        }
    }

    @Test func `Every size, scale and state is an event of each person`() throws {
        try book.add("ada", photo: LoadedBook.photo(1))
        let outcome = try RunningTondo(
            [
                "load", "book", "--size", "16,20", "--scale", "1,2", "--state", "normal,selected", "--json",
                "--cache-dir", "cache",
            ], in: book.folder
        ).finish()
        let avatars = try outcome.json().filter { $0["event"] as? String == "avatar" }
        #expect(avatars.count == 8)
        #expect(Set(avatars.compactMap { $0["style"] as? String }) == ["16", "20"])
        #expect(Set(avatars.compactMap { $0["state"] as? String }) == ["normal", "selected"])
        #expect(Set(avatars.compactMap { $0["key"] as? String }).count == 8)
    }

    @Test func `A terminal sees the people, the faces and where they come from`() throws {
        for number in 0..<5 { try book.add("p\(number)", photo: LoadedBook.photo(number)) }
        let outcome = try book.start(["--progress", "always"], terminal: 100).finish()
        #expect(outcome.error.contains("5/5 contacts"))
        #expect(outcome.error.contains("from cache"))
    }

    @Test func `Unknown ids are reported, and so is a folder without contacts`() throws {
        try book.add("ada")
        #expect(try book.load("--first", "ada,nobody").error == "tondo: --first nobody: no contact has this id\n")
        let empty = try Tondo.run("load", "cache", "--cache-dir", "cache", in: book.folder)
        #expect(empty.error.hasPrefix("tondo: no contacts found; "))
    }

    @Test func `A cache that cannot be made costs a warning, and the book is loaded`() throws {
        try book.add("ada")
        let outcome = try Tondo.run(
            "load", "book", "--cache-dir", "/proc/none", "--initials", "off", "--json", in: book.folder)
        #expect(outcome.status == 0)
        #expect(outcome.error == "tondo: warning: cache: /proc/none: cannot be created; continuing without it\n")
        #expect(try outcome.events() == ["total", "contact", "avatar", "finished"])
    }

    @Test func `Where no folder can be found for a cache, the book is loaded without`() throws {
        try book.add("ada")
        let outcome = try Tondo.run("load", "book", in: book.folder, shell: #"unset HOME XDG_CACHE_HOME; exec "$@""#)
        #expect(outcome.status == 0)
        #expect(outcome.error.hasPrefix("tondo: warning: cache: neither XDG_CACHE_HOME nor HOME is set; "))
        #expect(outcome.text.hasPrefix("1 contact, 1 avatar (0 from the cache, 1 drawn) in "))
    }

    @Test func `Quiet prints failures only`() throws {
        try book.add("ada", photo: LoadedBook.photo(1).prefix(30))
        let outcome = try book.load("--quiet")
        #expect(outcome.text.isEmpty && outcome.error.hasPrefix("tondo: book/ada.vcf:1: Ada: "))
    }

    @Test func `A reader that goes away ends it as SIGPIPE does, and without a word`() throws {
        for number in 0..<50 { try book.add("p\(number)") }
        let outcome = try book.load("--json", shell: #"{ "$@"; echo $? >status; } | head -n 1"#)
        #expect(outcome.lines.count == 1)
        #expect(try String(decoding: book.folder.data("status"), as: UTF8.self) == "141\n")
        #expect(outcome.error.isEmpty)
    }

    @Test func `Property lists, CSV and JSON are books like any other`() throws {
        let books = [
            "book.csv": "First Name,Last Name,E-mail 1 - Value\nAda,Lovelace,ada@example.org\n",
            "book.json":
                #"{"contacts":[{"firstname":"Ada","lastname":"Lovelace","phone_number":"1","photo_url":null}]}"#,
            "book.ldif": "dn: cn=Ada\ncn: Ada\nmail: ada@example.org\n",
        ]
        for (name, text) in books {
            try book.folder.write(Data(text.utf8), to: name)
            let outcome = try Tondo.run("load", name, "--size", "16", "--cache-dir", "cache", in: book.folder)
            #expect(outcome.status == 0 && outcome.text.hasPrefix("1 contact, 1 avatar"), "\(name)")
        }
    }
}
