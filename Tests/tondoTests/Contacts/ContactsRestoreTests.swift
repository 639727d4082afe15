import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ContactsRestoreTests {
    private let book: SmallBook

    init() throws {
        book = try SmallBook()
        try book.makeFolder()
        for (name, id) in [("book.vcf", "bo"), ("book.vcf", "carl"), ("people", "bo")] {
            _ = try book.run("rm", name, id, "--yes", shell: #"XDG_DATA_HOME="$PWD/data" exec "$@""#)
        }
    }

    private func restore(_ words: String...) throws -> Outcome {
        try RunningTondo(["contacts", "restore", "--trash", "data/tondo/trash"] + words, in: book.folder).finish()
    }

    @Test func `A contact returns byte for byte`() throws {
        let outcome = try restore("carl")
        #expect(outcome.status == 0)
        #expect(outcome.text == "carl  Carl Åberg: restored to \(book.folder.pathString)/book.vcf\n")
        #expect(try book.text == SmallBook.ada + SmallBook.broken + SmallBook.carl)
        #expect(try restore("book.vcf", "Bo Berg").status == 0)
        #expect(try book.text == SmallBook.text)
    }

    @Test func `Several contacts of a book return at once`() throws {
        let outcome = try restore("book.vcf", "bo", "carl", "nobody")
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("nobody: no such contact in the trash"))
        #expect(outcome.lines.count == 2)
        #expect(try book.text == SmallBook.text)
    }

    @Test func `A file that went returns`() throws {
        #expect(!book.folder.exists("people/office/bo.vcf"))
        #expect(try restore("people", "bo").status == 0)
        #expect(try book.text(of: "people/office/bo.vcf") == SmallBook.bo)
    }

    @Test func `Several of one id are distinguished by their entries`() throws {
        let outcome = try restore("bo")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("tondo: bo: several contacts in the trash; use one of these names:\n  "))
        let entry = try #require(try restore("people", "--list", "--json").json()[0]["entry"] as? String)
        #expect(try restore(entry).status == 0)
        #expect(book.folder.exists("people/office/bo.vcf"))
    }

    @Test func `The list has what was removed last first`() throws {
        let lines = try restore("--list").lines
        #expect(lines[0].split(separator: "\t").map(String.init) == ["NAME", "CHANGE", "DATE", "FILE", "ID", "ENTRY"])
        #expect(lines.dropFirst().map { $0.prefix(4) } == ["Bo B", "Carl", "Bo B"])
        let json = try restore("book.vcf", "--list", "--json").json()
        #expect(json.map { $0["id"] as? String } == ["carl", "bo"])
        #expect(Set(json[0].keys) == ["entry", "id", "name", "change", "removed", "file", "format"])
    }

    @Test func `An unknown name is an error`() throws {
        let outcome = try restore("zoe")
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: zoe: no such contact in the trash; --list shows the contents\n")
    }

    @Test func `A trash that cannot be listed is not called empty`() throws {
        let trash = String(repeating: "x", count: 300)
        for words in [["--list"], ["bo"], ["people", "bo"]] {
            let running = try RunningTondo(["contacts", "restore", "--trash", trash] + words, in: book.folder)
            let outcome = try running.finish()
            #expect(outcome.status == 74)
            #expect(outcome.error.contains("cannot be read: file name too long") && outcome.text.isEmpty)
        }
    }

    @Test(.enabled(if: Unprivileged.isPossible))
    func `A trash that still lists what was restored is reported`() throws {
        let shell = try #require(Unprivileged.shell)
        _ = try book.run(shell: "chmod -R a+rwX . && chmod a-w data/tondo/trash && exit 0")
        let outcome = try book.run("restore", "carl", "--trash", "data/tondo/trash", shell: shell)
        #expect(outcome.status == 74)
        #expect(outcome.text == "carl  Carl Åberg: restored to \(book.folder.pathString)/book.vcf\n")
        #expect(outcome.error.contains("the trash still lists the contact"))
    }

    @Test func `On a full disk the trash keeps the contact`() throws {
        let outcome = try book.run(
            "restore", "carl", "--trash", "data/tondo/trash", shell: #"ulimit -f 0; exec "$@""#)
        #expect(outcome.status == 74)
        #expect(try restore("--list").lines.count == 4)
        #expect(try book.text == SmallBook.ada + SmallBook.broken)
    }

    @Test(arguments: [[], ["--json", "a"], ["--list", "a", "b"], [""]])
    func `What is asked wrongly is refused`(words: [String]) throws {
        #expect(try RunningTondo(["contacts", "restore"] + words, in: book.folder).finish().status == 64)
    }

    @Test func `An empty trash says so`() throws {
        let outcome = try book.run("restore", "--list", "--trash", "nowhere")
        #expect(outcome.status == 0)
        #expect(outcome.error == "the trash is empty\n")
    }
}
