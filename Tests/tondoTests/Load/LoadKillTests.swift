import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct LoadKillTests {
    private let book: LoadedBook

    init() throws {
        book = try LoadedBook()
        for number in 0..<40 { try book.add("p\(number)", photo: LoadedBook.photo(number)) }
    }

    @Test(arguments: ["\"total\"", "\"contact\"", "\"avatar\"", "\"seq\":60,", "\"finished\""])
    func `A load that is killed and begun again ends with the same cache`(_ moment: String) throws {
        let undisturbed = try RunningTondo(
            ["load", "book", "--size", "16", "--cache-dir", "whole"], in: book.folder
        ).finish()
        #expect(undisturbed.status == 0)
        let killed = try book.start(["--json"])
        try killed.wait(forOutput: moment)
        killed.signal(SIGKILL)
        _ = try killed.finish()
        #expect(try book.load().status == 0)
        #expect(try book.entries() == book.entries(in: "whole"))
        let verified = try Tondo.run("cache", "verify", "--repair", "--cache-dir", "cache", in: book.folder)
        #expect([0, 1].contains(verified.status))
        #expect(try Tondo.run("cache", "verify", "--cache-dir", "cache", in: book.folder).status == 0)
    }

    @Test func `An interruption ends with 130 and keeps what was drawn`() throws {
        let running = try book.start(["--json", "--jobs", "1"])
        try running.wait(forOutput: "\"contact\"")
        running.signal(SIGINT)
        let outcome = try running.finish()
        // It may have been done just before.
        #expect(outcome.status == 130 || outcome.text.contains("\"finished\""))
        #expect(try book.load().status == 0)
        #expect(try book.entries().count == 40)
    }
}
