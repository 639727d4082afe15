import Dispatch
import Foundation
import Synchronization
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

/// Another program changes the file after the new bytes are on the disk and before they get its name.
@Suite struct InterruptedChangeTests {
    private let people: VCardFolder

    init() throws { people = try VCardFolder() }

    /// What another program does.
    enum Habit: CaseIterable, Sendable {
        case inPlace, sameSize, rename, exchangeTwice

        /// Adds `zoe` to a file of `ids`, or puts her in the place of the last one.
        func write(_ path: FilePath, _ ids: [String]) throws {
            let all = VCardFolder.cards(self == .sameSize ? ids.dropLast() + ["zoe"] : ids + ["zoe"])
            switch self {
            case .inPlace, .sameSize:
                let file = try FileDescriptor.open(path, .writeOnly)
                try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 0, all) }
            case .rename, .exchangeTwice:
                let draft = path.removingLastComponent().appending("draft.tmp")
                for bytes in self == .rename ? [all] : [VCardFolder.card("yan"), all] {
                    try Data(bytes).write(to: URL(fileURLWithPath: draft.string))
                    try AtomicFile.rename(draft, to: path)
                }
            }
        }
    }

    /// Happens once.
    private func once(_ change: @escaping @Sendable (FilePath) throws -> Void) -> LockedBookFile.Interruption {
        let done = Atomic<Bool>(false)
        return { path in
            if !done.exchange(true, ordering: .relaxed) { try? change(path) }
        }
    }

    private func remove(
        _ id: String, _ interruption: @escaping LockedBookFile.Interruption
    ) throws -> BookChange.Outcome {
        let read = try people.read()
        var removal = BookChange(read.book, read.contents, trash: people.trash)
        removal.interruption = interruption
        return try #require(removal.remove(people.contacts(id, of: read), now: 5).first)
    }

    private func restore(_ id: String, _ interruption: @escaping LockedBookFile.Interruption) throws {
        var restoration = ContactRestoration(people.trash)
        restoration.interruption = interruption
        _ = try restoration.restore(Trash.Lookup(people.trash.contents().items).items(meantBy: id)[0])
    }

    private func ids() throws -> [String] { try people.read("people/all.vcf").contents.contacts.map(\.id) }

    @Test(arguments: Habit.allCases) func `A change made meanwhile is in the file after a removal`(_ habit: Habit)
        throws
    {
        let outcome = try remove("carl", once { try habit.write($0, ["carl", "dora", "emi"]) })
        #expect(outcome.problem == nil)
        #expect(try ids() == (habit == .sameSize ? ["dora", "zoe"] : ["dora", "emi", "zoe"]))
        #expect(people.removed == ["carl"])
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "all.vcf", "office"])
    }

    @Test(arguments: Habit.allCases) func `A change made meanwhile is in the file after a restoration`(
        _ habit: Habit
    ) throws {
        try people.remove("carl")
        try restore("carl", once { try habit.write($0, ["dora", "emi"]) })
        #expect(try ids().sorted() == (habit == .sameSize ? ["carl", "dora", "zoe"] : ["carl", "dora", "emi", "zoe"]))
        #expect(people.removed == [])
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "all.vcf", "office"])
    }

    @Test func `A file that another program goes on changing is left to it`() throws {
        let outcome = try remove("carl") { path in try? Habit.inPlace.write(path, ["carl", "dora", "emi"]) }
        #expect(outcome.problem == .changed(people.path.appending("all.vcf")))
        #expect(try ids() == ["carl", "dora", "emi", "zoe"])
        #expect(people.removed == [])
        try people.remove("carl")
        #expect(throws: ChangeProblem.changed(people.path.appending("all.vcf"))) {
            try restore("carl") { path in try? Habit.inPlace.write(path, ["dora", "emi"]) }
        }
        #expect(people.removed == ["carl"])
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "all.vcf", "office"])
    }

    @Test(.enabled(if: Lease.isGranted, "no leases"))
    func `A file that another program has open for writing is left to it`() throws {
        let path = people.path.appending("all.vcf")
        let writer = try FileDescriptor.open(path, .writeOnly)
        let outcome = try remove("carl") { _ in }
        #expect(outcome.problem == .changed(path))
        try writer.closeAfter { _ = try writer.writeAll(VCardFolder.card("zoe")) }
        #expect(try people.folder.bytes("people/all.vcf").starts(with: VCardFolder.card("zoe")))
        #expect(people.removed == [])
    }

    /// Such as a process that a test runner or a mail program starts: it holds the descriptor until it executes.
    @Test(.enabled(if: Lease.isGranted, "no leases"), arguments: [1, 64])
    func `A contact is removed and restored once the other program has closed the file`(_ milliseconds: Int) throws {
        let read = try people.read()
        var removal = BookChange(read.book, read.contents, trash: people.trash)
        removal.retry.pause = try closing("all.vcf", after: milliseconds)
        #expect(removal.remove(people.contacts("carl", of: read), now: 5).first?.problem == nil)
        #expect(people.removed == ["carl"])

        var restoration = ContactRestoration(people.trash)
        restoration.retry.pause = try closing("all.vcf", after: milliseconds)
        let items = Trash.Lookup(people.trash.contents().items).items(meantBy: "carl")
        #expect(try restoration.restore(items[0]) == .restored)
        #expect(people.removed == [])
    }

    /// Opens the file for writing, and closes it in the pause of this length. A process that another test starts at this moment has the
    /// descriptor a little longer: the pauses after it are real ones.
    private func closing(_ name: String, after milliseconds: Int) throws -> @Sendable (Int) -> Void {
        let writer = try FileDescriptor.open(people.path.appending(name), .writeOnly)
        return { pause in
            if pause == milliseconds { try? writer.close() }
            if pause > milliseconds { usleep(UInt32(pause) * 1_000) }
        }
    }

    @Test func `A file that another program deletes meanwhile stays deleted`() throws {
        let outcome = try remove("carl", once { _ = $0.withPlatformString { unlink($0) } })
        #expect(outcome.problem != nil)
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "office"])
        #expect(people.removed == [])
    }

    @Test func `A contact comes back though its file is deleted meanwhile`() throws {
        try people.remove("carl")
        try restore("carl", once { _ = $0.withPlatformString { unlink($0) } })
        #expect(try ids() == ["carl"])
    }

    @Test(arguments: [Habit.inPlace, .rename]) func `A file that gets another contact meanwhile is not deleted`(
        _ habit: Habit
    ) throws {
        let outcome = try remove("ada", once { try habit.write($0, ["ada"]) })
        #expect(outcome.problem == nil && !outcome.isDeleted)
        #expect(try people.folder.bytes("people/ada.vcf") == VCardFolder.card("zoe"))
        #expect(people.removed == ["ada"])
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "all.vcf", "office"])
    }

    @Test func `A restoration waits for another one of the same contact, which has written and not ended`() throws {
        try people.remove("dora")
        let item = people.trash.contents().items[0]
        // The other one holds the item until it is gone.
        let other = try FileDescriptor.open(item.path, .readOnly)
        try LockKind.exclusive.take(other.rawValue)
        try people.folder.write(VCardFolder.cards(["zoe", "dora"]), to: "people/all.vcf")
        let done = DispatchSemaphore(value: 0)
        let problem = Mutex<ChangeProblem?>(nil)
        DispatchQueue.global().async { [trash = people.trash] in
            do throws(ChangeProblem) { _ = try ContactRestoration(trash).restore(item) } catch {
                problem.withLock { $0 = error }
            }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
        people.trash.discard([item])
        try other.close()
        done.wait()
        guard case .notInTrash("dora")? = problem.withLock({ $0 }) else {
            Issue.record("\(String(describing: problem.withLock { $0 }))")
            return
        }
        #expect(try ids() == ["zoe", "dora"])
    }

    @Test func `Programs that restore one contact at the same time restore it once`() throws {
        for _ in 0..<20 {
            try people.remove("dora")
            // Nothing of its neighbourhood is left.
            try people.folder.write(VCardFolder.card("zoe"), to: "people/all.vcf")
            let item = people.trash.contents().items[0]
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                _ = try? ContactRestoration(people.trash).restore(item)
            }
            let found = try ids()
            #expect(found == ["zoe", "dora"])
        }
    }
}
