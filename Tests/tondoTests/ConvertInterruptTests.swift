import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import tondo

/// Standard input that the test holds open keeps a run in the middle: one photo done, one begun, one to come.
@Suite struct ConvertInterruptTests {
    private let folder: TemporaryFolder
    private let photo: Data

    init() throws {
        folder = try TemporaryFolder()
        // Longer than a pipe holds, so that all of it being sent means that reading has begun.
        photo = try Repository.data(Repository.small) + Data(count: 200_000)
        for name in ["first.jpg", "last.jpg"] { try folder.write(photo, to: name) }
    }

    private func runToTheMiddle(_ words: String..., shell: String? = nil) throws -> RunningTondo {
        let running = try RunningTondo(
            ["convert", "first.jpg", "-", "last.jpg", "--jobs", "1", "--json", "-o", "out"] + words, in: folder,
            shell: shell)
        try running.wait(forOutput: "\n")
        running.send(photo)
        try running.waitForInputSent()
        return running
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `An interruption finishes the photos begun, begins no more and ends with 130`(_ number: Int32) throws {
        let running = try runToTheMiddle()
        running.signal(number)
        try running.wait(forError: "tondo: interrupted; finishing the photos in progress")
        let outcome = try running.finish()
        #expect(outcome.status == 130)
        #expect(try folder.files(below: "out") == ["first.png", "stdin.png"])
        #expect(try folder.data("out/stdin.png") == folder.data("out/first.png"))
        let summary = try #require(try outcome.json().last)
        #expect(summary["interrupted"] as? Bool == true)
        #expect(summary["done"] as? Int == 2)
        #expect(summary["left"] as? Int == 1)
    }

    @Test func `A second interruption ends at once and leaves no temporary file`() throws {
        let running = try runToTheMiddle()
        running.signal(SIGINT)
        try running.wait(forError: "interrupt again to quit at once")
        running.signal(SIGINT)
        let outcome = try running.finish(closingInput: false)
        #expect(outcome.status == 130)
        #expect(try folder.files(below: "out") == ["first.png"])
    }

    @Test func `A signal that the parent ignores stays ignored`() throws {
        let running = try runToTheMiddle(shell: #"trap '' HUP; exec "$@""#)
        running.signal(SIGHUP)
        let outcome = try running.finish()
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out").count == 3)
    }
}
