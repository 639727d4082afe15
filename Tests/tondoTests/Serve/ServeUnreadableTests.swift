import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ServeUnreadableTests {
    @Test func `A service without a readable book says which, and ends with 66`() throws {
        let served = try ServedBook([])
        let outcome = try served.start(["missing"]).finish()
        #expect(outcome.status == 66 && !FileManager.default.fileExists(atPath: served.folder.pathString + "/s.sock"))
        #expect(outcome.error.contains("missing") && outcome.error.contains("no address book can be read"))
    }

    @Test func `A service with --wait-for-books serves a book that comes later`() throws {
        let served = try ServedBook([])
        let running = try served.serve(["later", "--wait-for-books"])
        try served.folder.makeFolder("later")
        try served.folder.write(Data(LoadedBook.card("cy").utf8), to: "later/cy.vcf")
        try served.manager.wait(for: "STATUS=1 contact, ")
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    @Test func `A card that cannot be read is logged with its file, line and reason`() throws {
        let book = try LoadedBook()
        try book.add("ada")
        try book.folder.write(Data("BEGIN:VCARD\r\nFN:Half".utf8), to: "book/half.vcf")
        let running = try RunningTondo(
            ["serve", "book", "--cache-dir", "cache", "--listen", "127.0.0.1:0"], in: book.folder,
            shell: #"export XDG_STATE_HOME="$PWD/state"; exec "$@""#)
        try running.wait(forError: "1 contact, ")
        running.signal(SIGTERM)
        let error = try running.finish().error
        #expect(error.contains("book/half.vcf:1: malformed: no END:VCARD (code: contact-malformed)\n"), "\(error)")
    }

    @Test(.enabled(if: Unprivileged.isPossible, "no way to run as a user whom permissions stop"))
    func `A folder that cannot be read is logged and shown once, and once more when it can be read`() throws {
        let book = try LoadedBook()
        try book.add("ada")
        try FileManager.default.createDirectory(
            atPath: book.folder.pathString + "/book/private", withIntermediateDirectories: false)
        try book.folder.write(Data(LoadedBook.card("cy").utf8), to: "book/private/cy.vcf")
        let shell = "chmod a+rwX . book; chmod a+rX book/*; chmod 0 book/private; " + (Unprivileged.shell ?? "")
        let running = try RunningTondo(
            ["serve", "book", "--cache-dir", "cache", "--listen", "127.0.0.1:0", "--socket", "s.sock"],
            in: book.folder, shell: "export XDG_STATE_HOME=\"$PWD/state\"; " + shell)
        try running.wait(forError: "1 of its folders and files are unreadable")
        try running.wait(forError: "1 contact, ")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: book.folder.pathString + "/book/private")
        try running.wait(forError: "all of its folders and files are readable again")
        running.signal(SIGTERM)
        let error = try running.finish().error
        #expect(error.contains("private: cannot be read: permission denied") && error.contains("code: book-unreadable"))
        for text in ["are unreadable", "are readable again"] {
            #expect(error.split(separator: "\n").count { $0.contains(text) } == 1, "\(error)")
        }
    }
}
