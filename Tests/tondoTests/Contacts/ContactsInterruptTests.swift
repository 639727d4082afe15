import Foundation
import Glibc
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import tondo

/// A lock on a card holds a command in the middle: one file done, one begun at most, one to come.
@Suite struct ContactsInterruptTests {
    private let book: SmallBook
    private let names = ["people/1.vcf", "people/2.vcf", "people/3.vcf"]

    init() throws {
        book = try SmallBook()
        for (name, card) in zip(names, ["ada", "bo", "carl"]) {
            try book.folder.write(Data(PhotoBook.card(card, photo: nil).utf8), to: name)
        }
    }

    private func lock(_ name: String) throws -> FileDescriptor {
        let file = try FileDescriptor.open(book.folder.path.appending(name), .readOnly, options: .closeOnExec)
        try LockKind.exclusive.take(file.rawValue)
        return file
    }

    /// Waits until no process that another test started has a copy of a descriptor by which a card was written: the card would
    /// not be changed until then.
    private func settle() async throws {
        let isSettled = try await eventually {
            try names.allSatisfy { name in
                let file = try FileDescriptor.open(
                    book.folder.path.appending(name), .readOnly, options: .closeOnExec)
                return try file.closeAfter {
                    let lease = ReadLease(file)
                    defer { lease.end() }
                    return lease.isGranted != false
                }
            }
        }
        #expect(isSettled)
    }

    /// Also for a process that another test starts at this moment, which has a copy of the descriptor until it runs.
    private func unlock(_ file: FileDescriptor) throws {
        flock(file.rawValue, LOCK_UN)
        try file.close()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `A removal ends behind the file in progress, says what was removed, and leaves nothing`(
        _ number: Int32
    ) async throws {
        try await settle()
        let file = try lock(names[1])
        let running = try RunningTondo(
            ["contacts", "rm", "people", "ada", "bo", "carl", "--yes", "--trash", "trash"], in: book.folder)
        #expect(await eventually { !book.folder.exists(names[0]) })
        running.signal(number)
        try running.wait(forError: "interrupted; finishing the file in progress")
        try unlock(file)
        let outcome = try running.finish()
        #expect(outcome.status == 130)
        // It may not have come to the second file yet.
        let done = outcome.lines.count
        #expect(
            (1...2).contains(done)
                && outcome.lines.map { String($0.prefix(4)) } == ["ada ", "bo  "].prefix(done).map(\.self))
        let left = "\(3 - done) contact\(done == 2 ? "" : "s") left unchanged"
        #expect(outcome.error.hasSuffix("tondo: interrupted: \(left)\n"))
        #expect(try book.folder.files(below: "people") == names.suffix(3 - done).map { String($0.dropFirst(7)) })
        #expect(try book.folder.names(in: "trash").allSatisfy { $0.hasSuffix(".json") })
    }

    @Test func `A restoration ends behind the file in progress, and the trash keeps the rest`() async throws {
        // They change together, and return together.
        for (name, card) in zip(names, ["dora", "emi", "finn"]) {
            let cards = try book.text(of: name) + PhotoBook.card(card, photo: nil)
            try book.folder.write(Data(cards.utf8), to: name)
        }
        try await settle()
        let removal = try book.run("rm", "people", "ada", "bo", "carl", "--yes", "--trash", "trash")
        #expect(removal.status == 0, "\(removal.error)")
        let file = try lock(names[1])
        let running = try RunningTondo(
            ["contacts", "restore", "people", "ada", "bo", "carl", "--trash", "trash"], in: book.folder)
        // The last removed one comes first.
        #expect(try await eventually { try book.text(of: names[2]).contains("carl") })
        running.signal(SIGINT)
        try running.wait(forError: "interrupted; finishing the file in progress")
        try unlock(file)
        let outcome = try running.finish()
        #expect(outcome.status == 130)
        let done = outcome.lines.count
        #expect(
            (1...2).contains(done)
                && outcome.lines.map { String($0.prefix(4)) } == ["carl", "bo  "].prefix(done).map(\.self))
        #expect(try book.folder.names(in: "trash").count == 3 - done)
    }
}
