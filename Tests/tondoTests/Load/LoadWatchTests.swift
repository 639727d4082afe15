import Foundation
import Glibc
import Testing

@testable import tondo

@Suite struct LoadWatchTests {
    private let book: LoadedBook

    init() throws {
        book = try LoadedBook()
        try book.add("ada", photo: LoadedBook.photo(1))
        try book.add("bo", photo: LoadedBook.photo(2))
    }

    @Test func `What changes in a watched book is told, until an interruption ends it with 0`() throws {
        let running = try book.start(["--watch", "--json"])
        try running.wait(forOutput: "\"finished\"")
        try book.replace("cy", photo: LoadedBook.photo(3))
        try running.wait(forOutput: #""contact":"cy","style""#)
        try book.replace("ada", photo: LoadedBook.photo(4))
        try running.wait(forOutput: #""event":"contactChanged","seq":9"#)
        try FileManager.default.removeItem(atPath: book.folder.path + "/book/bo.vcf")
        try running.wait(forOutput: #""contactRemoved""#)
        running.signal(SIGINT)
        let outcome = try running.finish()
        #expect(outcome.status == 0)
        let events = try outcome.events()
        #expect(
            Array(events.dropFirst(6)) == ["contactChanged", "avatar", "contactChanged", "avatar", "contactRemoved"])
    }

    @Test func `People read who is new, changed or gone`() throws {
        let running = try book.start(["--watch"])
        try running.wait(forOutput: "watching; Ctrl-C ends it\n")
        try book.replace("cy", photo: LoadedBook.photo(3))
        try running.wait(forOutput: "new: Cy (cy)\n")
        try book.replace("ada", photo: LoadedBook.photo(5))
        try running.wait(forOutput: "changed: Ada (ada)\n")
        try FileManager.default.removeItem(atPath: book.folder.path + "/book/bo.vcf")
        try running.wait(forOutput: "removed: bo\n")
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }
}
