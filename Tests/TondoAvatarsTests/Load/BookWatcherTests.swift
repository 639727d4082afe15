import Dispatch
import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15))) struct BookWatcherTests {
    @Test func `A new file is read when it is reported, as it may still be being written before`() async throws {
        let book = try SmallBook()
        try book.write(SmallBook.card("ada"), to: "ada.vcf")
        try book.write("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:b", to: "bo.vcf")
        let (events, continuation) = AsyncStream<LoaderEvent>.makeStream()
        let eventQueue = EventQueue { recorded in
            if let recorded { continuation.yield(recorded.event) } else { continuation.finish() }
        }
        let avatars = AvatarLoader(AvatarPipeline(cache: nil), styles: [], events: eventQueue, isWatching: true)
        let bookWatcher = BookWatcher(
            path: book.path, snapshot: BookSnapshot([:], order: [], listing: []), avatars: avatars, events: eventQueue)
        let reader = DispatchQueue(label: "test")
        func follow(_ file: String) -> BookWatcher.Outcome {
            reader.sync { bookWatcher.apply(.files([file]), permit: BlockingPermit(on: reader)) }
        }
        #expect(follow("ada.vcf") == .applied)
        try book.write(SmallBook.card("bo"), to: "bo.vcf")
        #expect(follow("bo.vcf") == .applied)
        eventQueue.finish()
        #expect(await events.reduce(into: []) { $0.append($1) }.texts == ["changed ada", "changed bo"])
    }

    @Test func `A write through a second name changes the contact`() async throws {
        let book = try SmallBook()
        try book.write(SmallBook.card("ada"), to: "ada.vcf")
        let (name, second) = (book.path.appending("ada.vcf"), book.path.appending("ada.bak"))
        try FileManager.default.linkItem(atPath: name.string, toPath: second.string)
        let (events, continuation) = AsyncStream<LoaderEvent>.makeStream()
        let eventQueue = EventQueue { recorded in
            if let recorded { continuation.yield(recorded.event) } else { continuation.finish() }
        }
        let avatars = AvatarLoader(AvatarPipeline(cache: nil), styles: [], events: eventQueue, isWatching: true)
        let bookWatcher = BookWatcher(
            path: book.path, snapshot: BookSnapshot([:], order: [], listing: []), avatars: avatars, events: eventQueue)
        let reader = DispatchQueue(label: "test")
        func follow(_ file: String) -> BookWatcher.Outcome {
            reader.sync { bookWatcher.apply(.files([file]), permit: BlockingPermit(on: reader)) }
        }
        #expect(follow("ada.vcf") == .applied)
        let file = try FileDescriptor.open(second, .writeOnly, options: [.truncate])
        try file.closeAfter { _ = try file.writeAll(SmallBook.card("bo").utf8) }
        #expect(follow("ada.bak") == .applied)
        eventQueue.finish()
        #expect(
            await events.reduce(into: []) { $0.append($1) }.texts.sorted() == [
                "changed ada", "changed bo", "removed ada",
            ])
    }

    @Test(arguments: [false, true])
    func `After this program deletes a file, no other one is read, even if the book has links`(hasLink: Bool) throws {
        let book = try SmallBook()
        for name in ["ada", "bo", "cy"] { try book.write(SmallBook.card(name), to: "\(name).vcf") }
        if hasLink {
            try FileManager.default.createSymbolicLink(
                atPath: book.path.appending("zoe.vcf").string, withDestinationPath: "cy.vcf")
        }
        let listed = try AddressBook(book.path)
        var reading = BookReading(BookSnapshot())
        reading.read(listed, try listed.scan()) { _, _ in true }
        let eventQueue = EventQueue { _ in }
        let avatars = AvatarLoader(AvatarPipeline(cache: nil), styles: [], events: eventQueue, isWatching: true)
        let bookWatcher = BookWatcher(
            path: book.path, snapshot: try #require(reading.snapshot), avatars: avatars, events: eventQueue)
        let file = book.path.withoutLinks.appending("bo.vcf")
        try FileManager.default.removeItem(atPath: file.string)
        let reader = DispatchQueue(label: "test")
        let outcome = reader.sync {
            bookWatcher.apply(ownChangeOf: file, removed: [:], BlockingPermit(on: reader))
        }
        #expect(outcome == .applied)
        #expect(bookWatcher.work == BookWatcher.Work(listings: hasLink ? 1 : 0, files: 0))
        #expect(bookWatcher.contents(with: "bo") == nil && bookWatcher.contents(with: "cy") != nil)
        eventQueue.finish()
    }
}
