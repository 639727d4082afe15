import Dispatch
import Foundation
import SystemPackage
import Testing
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
            book.path, snapshot: BookSnapshot([:], order: [], listing: []), avatars: avatars, events: eventQueue)
        let reader = DispatchQueue(label: "test")
        func follow(_ file: String) -> BookWatcher.Outcome {
            reader.sync { bookWatcher.apply(.files([file]), BlockingPermit(on: reader)) }
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
            book.path, snapshot: BookSnapshot([:], order: [], listing: []), avatars: avatars, events: eventQueue)
        let reader = DispatchQueue(label: "test")
        func follow(_ file: String) -> BookWatcher.Outcome {
            reader.sync { bookWatcher.apply(.files([file]), BlockingPermit(on: reader)) }
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
}
