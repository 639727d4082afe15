import Foundation
import Glibc
import SystemPackage
import Testing
import TondoAvatars
import TondoContacts
import TondoTestSupport

@testable import tondo

@Suite struct ContactsExportTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    @Test func `Reading an export back loses nothing, and the photo is in it`() throws {
        let outcome = try book.run("export", "book.vcf", "-o", "out/book.json")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasSuffix("book.vcf:19: holds no contact data\n3 contacts exported\n"))
        let before = try ReadBook(.init(book.folder.pathString + "/book.vcf")).contents.contacts
        let read = try ReadBook(.init(book.folder.pathString + "/out/book.json"))
        var after = read.contents.contacts
        guard case .inline(let photo, nil) = after[2].photo else { throw CocoaError(.featureUnsupported) }
        #expect(Data(try read.photos.bytes(of: photo, of: after[2])) == (try Repository.data(Repository.small)))
        after[2].photo = before[2].photo
        #expect(after == before)
    }

    @Test func `Without a file it goes to standard output`() throws {
        _ = try book.run("export", "book.vcf", "-o", "book.json")
        #expect(try book.run("export", "book.vcf").output == (try book.folder.data("book.json")))
        #expect(try book.run("export", "book.vcf", "-o", "-").output == (try book.folder.data("book.json")))
    }

    @Test func `A photo in a book that comes through a pipe is exported with it`() throws {
        let photo = try Repository.data(Repository.small).base64EncodedString()
        let card = "BEGIN:VCARD\nVERSION:3.0\nUID:ada\nFN:Ada\nPHOTO;ENCODING=b;TYPE=JPEG:\(photo)\nEND:VCARD\n"
        try book.folder.write(Data(card.utf8), to: "ada.vcf")
        let outcome = try book.run("export", "-", shell: #"cat ada.vcf | "$@""#)
        #expect(outcome.status == 0)
        #expect(outcome.output == (try book.run("export", "ada.vcf").output))
        #expect(outcome.text.contains(#""data":"\#(photo.prefix(40))"#))
    }

    @Test func `The name of the file, or an option, gives vCards as they came`() throws {
        try book.folder.write(
            Data("BEGIN:VCARD\nVERSION:3.0\nFN:Zoë\nORG:One\nORG:Two\nX-OWN;X-P=1:value\nEND:VCARD\n".utf8),
            to: "zoe.vcf")
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zoë\r\nORG:One\r\nORG:Two\r\nX-OWN;X-P=1:value\r\nEND:VCARD\r\n"
        #expect(try book.run("export", "zoe.vcf", "-o", "out.vcf").status == 0)
        #expect(try book.folder.data("out.vcf") == Data(card.utf8))
        #expect(try book.run("export", "zoe.vcf", "--format", "vcard").text == card)
        #expect(try book.run("export", "zoe.vcf", "-o", "one.json").status == 0)
        #expect(try book.run("export", "one.json", "-o", "two.json").status == 0)
        #expect(try book.folder.data("two.json") == book.folder.data("one.json"))
        let text = try book.run("export", "two.json", "--format", "vcard").text
        #expect(text.contains("VERSION:4.0\r\n") && text.contains("ORG:Two\r\nX-OWN;X-P=1:value\r\n"))
    }

    private static let group = """
        BEGIN:VCARD
        VERSION:4.0
        KIND:group
        FN:Friends
        NOTE:Since 1999
        MEMBER:urn:uuid:zoe
        END:VCARD

        """

    @Test func `A group goes out as it came with all contacts, and is named if only some go`() throws {
        let zoe = "BEGIN:VCARD\nVERSION:4.0\nUID:urn:uuid:zoe\nFN:Zoë\nEND:VCARD\n"
        try book.folder.write(Data((Self.group + zoe).utf8), to: "zoe.vcf")
        let whole = try book.run("export", "zoe.vcf", "--format", "vcard")
        #expect(whole.status == 0 && whole.error == "" && whole.text.contains("NOTE:Since 1999\r\nMEMBER"))
        let some = try book.run("export", "zoe.vcf", "--format", "vcard", "--search", "zo")
        #expect(some.status == 0 && !some.text.contains("Friends") && some.text.contains("Zoë"))
        #expect(some.error == "tondo: 1 group left out, since not all contacts are exported: Friends\n")
        #expect(try book.run("export", "zoe.vcf", "--search", "zo").error == "")
    }

    @Test(arguments: ["export", "ls"]) func `A broken group is reported like a broken contact`(command: String) throws {
        let zoe = "BEGIN:VCARD\nVERSION:4.0\nFN:Zoë\nEND:VCARD\n"
        let open = Self.group.replacingOccurrences(of: "END:VCARD\n", with: "")
        try book.folder.write(Data((open + zoe).utf8), to: "zoe.vcf")
        let outcome = try book.run(command, "zoe.vcf")
        #expect(outcome.status == 1 && outcome.text.contains("Zoë"))
        #expect(outcome.error == "tondo: zoe.vcf:1: malformed: no END:VCARD\n")
    }

    @Test func `A group whose file changes meanwhile is named with the reason`() throws {
        try book.folder.write(Data(Self.group.utf8), to: "friends.vcf")
        let path = FilePath(book.folder.pathString + "/friends.vcf")
        let read = try ReadBook(path)
        try book.folder.write(Data("BEGIN:VCARD\nFN:Foes\nEND:VCARD\n".utf8), to: "friends.vcf")
        var problems: [String] = []
        try BookExport([read], as: .vcard).write([], groups: []) { contact, problem in
            problems.append("\(contact.displayName): \(problem)")
        } body: { _ in
        }
        #expect(problems == ["Friends: group: the contact is no longer where it was"])
    }

    @Test func `Only the chosen contacts are exported, in their order`() throws {
        let text = try book.run("export", "book.vcf", "--filter", "email", "--sort", "given-desc").text
        let contacts = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let ids = (contacts?["contacts"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
        #expect(ids == ["carl", "ada"])
    }

    @Test(arguments: ["people/all.vcf", "people/home/ALL.VCF", "people/new/all.vcf"])
    func `A file of the book's folder would have each contact twice, and is refused`(_ output: String) throws {
        try book.makeFolder()
        let outcome = try book.run("export", "people", "-o", output)
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("tondo: \(output): would be a file of the address book"))
        #expect(!book.folder.exists(output))
        for other in ["people/.all.vcf", "people/all.json", "people/.new/all.vcf", "all.vcf"] {
            #expect(try book.run("export", "people", "-o", other).status == 0)
        }
        #expect(try book.run("ls", "people", "--json").lines.count == 2)
    }

    @Test func `An interruption leaves nothing of the file`() throws {
        // Standard error holds fewer messages than there are, so that it waits for its reader in the middle.
        let cards = (0..<5_000).map { PhotoBook.card("Missing \($0)", photo: "VALUE=uri:photos/missing.jpg") }
        try book.folder.write(Data(cards.joined().utf8), to: "many.vcf")
        let running = try RunningTondo(["contacts", "export", "many.vcf", "-o", "out/many.json"], in: book.folder)
        try running.wait(forError: "Missing 0")
        running.signal(SIGINT)
        #expect(try running.finish().status == 130)
        #expect(try book.folder.names(in: "out").isEmpty)
    }

    @Test func `A link stays one, and the file at its end is replaced`() throws {
        try book.folder.makeFolder("store")
        try book.folder.link("out.json", to: "store/contacts.json")
        for _ in 0..<2 {
            _ = try book.run("export", "book.vcf", "-o", "out.json")
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: book.folder.pathString + "/out.json")
            #expect(target == "store/contacts.json")
            #expect(try book.folder.data("store/contacts.json") == book.run("export", "book.vcf").output)
        }
    }

    @Test func `A pipe is written into, and stays a pipe`() throws {
        let script = #"mkfifo pipe; cat pipe >copy & "$@"; wait; test -p pipe && echo still"#
        let outcome = try RunningTondo(
            ["contacts", "export", "book.vcf", "-o", "pipe"], in: book.folder, shell: script
        ).finish()
        #expect(outcome.lines == ["still"])
        #expect(try book.folder.data("copy") == book.run("export", "book.vcf").output)
    }

    @Test func `Only its owner may read it`() throws {
        _ = try book.run("export", "book.vcf", "-o", "book.json")
        let attributes = try FileManager.default.attributesOfItem(atPath: book.folder.pathString + "/book.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: ["book.vcf", "./photos/../book.vcf", "link.json", "photos/carl.jpg"])
    func `Neither the book nor a photo of it is overwritten`(output: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: book.folder.pathString + "/link.json", withDestinationPath: "book.vcf")
        let outcome = try book.run("export", "book.vcf", "-o", output)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("is a file of the address book and would be overwritten"))
        #expect(try book.text == SmallBook.text)
    }

    @Test func `An unreadable photo keeps its path, and is reported`() throws {
        let outside = SmallBook.carl.replacing("photos/carl.jpg", with: "../../etc/passwd")
        try book.folder.write(Data(outside.utf8), to: "book.vcf")
        let outcome = try book.run("export", "book.vcf")
        #expect(outcome.status == 1)
        #expect(
            outcome.error.hasSuffix(
                "Carl Åberg: photo: names a file outside the address book's folder: ../../etc/passwd\n"))
        #expect(outcome.text.contains(#""photo":{"file":"../../etc/passwd"}"#))
    }

    @Test func `On a full disk the file stays what it was`() throws {
        try book.folder.write(Data("old".utf8), to: "book.json")
        let outcome = try book.run("export", "book.vcf", "-o", "book.json", shell: #"ulimit -f 0; exec "$@""#)
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("cannot write book.json: file too large"))
        #expect(try book.text(of: "book.json") == "old")
    }
}
