import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ContactsRemoveTests {
    private let book: SmallBook
    private let rest = SmallBook.ada + SmallBook.broken + SmallBook.carl

    init() throws { book = try SmallBook() }

    private func remove(_ words: String..., shell: String? = nil) throws -> Outcome {
        try RunningTondo(["contacts", "rm", "book.vcf", "--trash", "trash"] + words, in: book.folder, shell: shell)
            .finish()
    }

    private var trash: [String] { (try? book.folder.files(below: "trash")) ?? [] }

    @Test func `A contact goes, the others stay byte for byte`() throws {
        let outcome = try remove("bo", "--yes")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.text.hasPrefix("bo  Bo Berg: removed from "))
        #expect(try book.text == rest)
        #expect(trash.count == 1)
    }

    @Test func `Without a terminal it needs --yes`() throws {
        let outcome = try remove("bo")
        #expect(outcome.status == 64)
        #expect(outcome.error.hasSuffix("tondo: this removes 1 contact from book.vcf: add --yes\n"))
        #expect(try book.text == SmallBook.text)
    }

    @Test(arguments: [("y", true), ("n", false), ("", false)])
    func `On a terminal it asks`(answer: String, goes: Bool) throws {
        let shell = #"printf '%s\n' "\#(answer)" | script -qec "'$1' contacts rm book.vcf bo --trash trash" /dev/null"#
        let outcome = try book.run(shell: shell)
        #expect(outcome.status == (goes ? 0 : 1))
        #expect(outcome.text.contains("Remove 1 contact from book.vcf? [y/N]"))
        #expect(try book.text == (goes ? rest : SmallBook.text))
    }

    @Test func `A dry run only reports`() throws {
        let outcome = try remove("bo", "--dry-run")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("Bo Berg: would be removed from "))
        #expect(try book.text == SmallBook.text)
        #expect(trash.isEmpty)
    }

    @Test(arguments: ["Bo Berg", " bo BERG ", "bo"])
    func `A contact is named by its id or its whole name`(_ word: String) throws {
        #expect(try remove(word, "--yes").status == 0)
        #expect(try book.text == rest)
    }

    @Test func `A contact that is named twice goes once`() throws {
        let outcome = try remove("ada@example.org", "ada", "Ada Lovelace", "--yes")
        #expect(outcome.status == 0 && outcome.lines.count == 1)
        #expect(try book.text == SmallBook.bo + SmallBook.broken + SmallBook.carl)
    }

    @Test func `A word that means no contact is reported with candidates, and the others are removed`() throws {
        let outcome = try remove("Carl", "bo", "--yes")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasSuffix("tondo: Carl: no such contact; could be:\n  carl  Carl Åberg\n"))
        #expect(try book.text == rest)
    }

    @Test func `A name that several contacts have removes none of them`() throws {
        let twin = SmallBook.bo.replacing("UID:bo", with: "UID:twin")
        let book = try SmallBook(SmallBook.bo + twin)
        let outcome = try RunningTondo(
            ["contacts", "rm", "book.vcf", "--trash", "trash", "Bo Berg", "--yes"], in: book.folder
        ).finish()
        #expect(outcome.status == 1)
        #expect(outcome.error.hasSuffix("Bo Berg: several contacts; use an id:\n  bo  Bo Berg\n  twin  Bo Berg\n"))
        #expect(try book.text == SmallBook.bo + twin)
    }

    @Test func `On a full disk nothing is removed`() throws {
        let outcome = try remove("bo", "--yes", shell: #"ulimit -f 0; exec "$@""#)
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("tondo: bo: cannot write trash/"))
        #expect(try book.text == SmallBook.text)
        #expect(trash.isEmpty)
    }

    @Test func `Where the book does not fit, the trash keeps nothing`() throws {
        let long =
            SmallBook.text
            + SmallBook.bo.replacing("bo\r", with: "zed\r").replacing(
                "FN:Bo Berg", with: "FN:Zed\r\nNOTE:" + String(repeating: "long ", count: 2000))
        try book.folder.write(Data(long.utf8), to: "book.vcf")
        let outcome = try remove("bo", "--yes", shell: #"ulimit -f 4; exec "$@""#)
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("book.vcf: file too large"))
        #expect(try book.text == long)
        #expect(trash.isEmpty)
        #expect(try book.folder.files() == ["book.vcf", "photos/carl.jpg"])
    }

    @Test(.enabled(if: Unprivileged.isPossible, "no way to run as somebody whom permissions stop"))
    func `A book that may not be written is left alone`() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o444], ofItemAtPath: book.folder.pathString + "/book.vcf")
        let shell = "chmod a+rwX . photos; " + (Unprivileged.shell ?? "")
        let outcome = try remove("bo", "--yes", shell: shell)
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("book.vcf: permission denied"))
        #expect(try book.text == SmallBook.text)
        #expect(trash.isEmpty)
    }

    @Test func `Without HOME the trash has to be named`() throws {
        let outcome = try book.run("rm", "book.vcf", "bo", "--yes")
        #expect(outcome.status == 66)
        #expect(outcome.error.hasSuffix("neither XDG_DATA_HOME nor HOME is set; name the trash with --trash\n"))
    }

    @Test func `The card of a group goes by its name, and its members stay`() throws {
        let group = "BEGIN:VCARD\nUID:g\nKIND:group\nFN:Choir\nMEMBER:bo\nEND:VCARD\n"
        let before = try book.text
        try book.folder.write(Array((before + group).utf8), to: "book.vcf")
        let outcome = try remove("choir", "--yes")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try book.text == before)
    }

    @Test func `A group that contacts alone name is refused in words`() throws {
        let text = "BEGIN:VCARD\nFN:Ada\nCATEGORIES:Choir\nEND:VCARD\n"
        try book.folder.write(Array(text.utf8), to: "book.vcf")
        let outcome = try remove("choir", "--yes")
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("choir: a group without a card: take it out of the categories of 1 contact"))
        #expect(try book.text == text)
    }
}
