import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct LoadWatchTests {
    private let book: LoadedBook

    init() throws {
        book = try LoadedBook()
        try book.add("ada", photo: LoadedBook.photo(1))
        try book.add("bo", photo: LoadedBook.photo(2))
    }

    @Test func `Changes in a watched book are reported, until an interruption ends it with 0`() throws {
        let running = try book.start(["--watch", "--json"])
        try running.wait(forOutput: "\"finished\"")
        try book.replace("cy", photo: LoadedBook.photo(3))
        try running.wait(forOutput: #""contact":"cy","style""#)
        try book.replace("ada", photo: LoadedBook.photo(4))
        try running.wait(forOutput: #""event":"contactChanged","seq":9"#)
        try FileManager.default.removeItem(atPath: book.folder.pathString + "/book/bo.vcf")
        try running.wait(forOutput: #""contactRemoved""#)
        running.signal(SIGINT)
        let outcome = try running.finish()
        #expect(outcome.status == 0)
        let events = try outcome.events()
        #expect(
            Array(events.dropFirst(6)) == ["contactChanged", "avatar", "contactChanged", "avatar", "contactRemoved"])
    }

    @Test(.enabled(if: Unprivileged.isPossible, "needs an ordinary user, or setpriv to become one"))
    func `A folder that is forbidden keeps its contacts, and is read again once it is allowed`() throws {
        try book.folder.makeFolder("book/family")
        try book.folder.write(Data(LoadedBook.card("dee").utf8), to: "book/family/dee.vcf")
        try book.folder.write(Data(LoadedBook.card("eve").utf8), to: "book/family/eve.vcf")
        let family = book.folder.pathString + "/book/family"
        let running = try book.start(["--watch", "--json"], shell: Unprivileged.shell)
        try running.wait(forOutput: "\"finished\"")
        #expect(chmod(family, 0) == 0)
        try book.replace("cy", photo: LoadedBook.photo(3))
        try running.wait(forOutput: #""contact":"cy","style""#)
        try book.folder.write(Data(LoadedBook.card("fay").utf8), to: "book/family/fay.vcf")
        #expect(chmod(family, 0o755) == 0)
        try running.wait(forLineWith: #""event":"contactChanged""#, #""id":"fay""#)
        running.signal(SIGINT)
        #expect(!(try running.finish().text.contains("contactRemoved")))
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit"), "needs prlimit"))
    func `A change that comes while no descriptor is free is followed later, and reported once`() throws {
        let running = try book.start(["--watch", "--json"], shell: #"ulimit -n 1024; exec "$@""#)
        try running.wait(forOutput: "\"finished\"")
        try running.limitDescriptors(to: 3)
        try book.replace("cy", photo: LoadedBook.photo(3))
        try running.wait(forError: "book: cannot be read: too many open files\n")
        try running.limitDescriptors(to: 1024)
        try running.wait(forOutput: #""contact":"cy","style""#)
        running.signal(SIGINT)
        let outcome = try running.finish()
        #expect(outcome.error.split(separator: "\n").count == 1)
        #expect(!outcome.text.contains("contactRemoved"))
    }

    @Test func `A photo file that is written when the kernel keeps no more events is drawn again`() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(count <= 200_000, "a queue that long takes too long to fill")
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:cy\r\nFN:Cy\r\nPHOTO;VALUE=uri:cy.jpg\r\nEND:VCARD\r\n"
        try book.folder.write(Data(card.utf8), to: "book/cy.vcf")
        try book.folder.write(LoadedBook.photo(3), to: "book/cy.jpg")
        let running = try book.start(["--watch", "--json"])
        try running.wait(forOutput: "\"finished\"")
        running.signal(SIGSTOP)
        let paths = ["ada", "bo"].map { book.folder.pathString + "/book/\($0).vcf" }
        for number in 0...count { utimensat(AT_FDCWD, paths[number % 2], nil, 0) }
        try book.folder.write(LoadedBook.photo(4), to: "book/cy.jpg")
        running.signal(SIGCONT)
        try running.wait(forOutput: #""event":"avatar","seq":9,"contact":"cy""#)
        running.signal(SIGINT)
        #expect(try running.finish().status == 0)
    }

    @Test func `People read who is new, changed or gone`() throws {
        let running = try book.start(["--watch"])
        try running.wait(forOutput: "watching for changes; Ctrl-C ends it\n")
        try book.replace("cy", photo: LoadedBook.photo(3))
        try running.wait(forOutput: "new: Cy (cy)\n")
        try book.replace("ada", photo: LoadedBook.photo(5))
        try running.wait(forOutput: "changed: Ada (ada)\n")
        try FileManager.default.removeItem(atPath: book.folder.pathString + "/book/bo.vcf")
        try running.wait(forOutput: "removed: bo\n")
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }
}
