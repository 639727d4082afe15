import Dispatch
import Testing

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(1))) struct BookFollowerTests {
    @Test func `A new file is read when it is reported, as it may still be being written before`() async throws {
        let book = try SmallBook()
        try book.write(SmallBook.card("ada"), to: "ada.vcf")
        try book.write("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:b", to: "bo.vcf")
        let (events, telling) = AsyncStream<LoaderEvent>.makeStream()
        let line = EventLine { told in
            if let told { telling.yield(told.event) } else { telling.finish() }
        }
        let faces = FaceWork(AvatarPipeline(cache: nil), styles: [], events: line, isWatching: true)
        let follower = BookFollower(
            book.path, snapshot: BookSnapshot([:], order: [], listing: []), faces: faces, events: line)
        let reader = DispatchQueue(label: "test")
        func follow(_ file: String) -> BookFollower.Outcome {
            reader.sync { follower.follow(.files([file]), BlockingPermit(on: reader)) }
        }
        #expect(follow("ada.vcf") == .followed)
        try book.write(SmallBook.card("bo"), to: "bo.vcf")
        #expect(follow("bo.vcf") == .followed)
        line.finish()
        #expect(await events.reduce(into: []) { $0.append($1) }.texts == ["changed ada", "changed bo"])
    }
}
