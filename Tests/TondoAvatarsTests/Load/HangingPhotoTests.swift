import Dispatch
import Synchronization
import Testing
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars

/// A watched book with a photo that hangs, as on a file server that does not respond or in a decoder with its time limit.
@Suite(.timeLimit(.minutes(15))) struct HangingPhotoTests {
    private let book: SmallBook

    init() throws {
        book = try SmallBook()
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
        try book.write(SmallBook.card("bo", photo: SmallBook.inline(2)), to: "bo.vcf")
    }

    /// Lets one opening hang until `release`.
    private final class Hang: Sendable {
        private let left: Atomic<Int>
        private let release = DispatchSemaphore(value: 0)

        /// `opening`: its number, from 1.
        init(opening: Int) { left = Atomic(opening) }

        func open() {
            if left.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { release.wait() }
        }

        func end() { release.signal() }
    }

    /// Pauses end at once.
    private func loader(_ hang: Hang, workers: Int, changesAtOnce: Bool) -> ContactLoader {
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.queue.spares) = (workers, 0)
        options.system.opening = { hang.open() }
        options.system.longestMerge = 0
        let pipeline = AvatarPipeline(cache: book.cache, options)
        return ContactLoader(
            book.path, styles: [AvatarStyle(size: 16)], pipeline: pipeline, isWatching: true,
            changesAtOnce: changesAtOnce)
    }

    @Test(arguments: [1, 2]) func `It keeps no new contact away from a service's first pass`(_ workers: Int)
        async throws
    {
        let hang = Hang(opening: 1)
        var (texts, isWritten) = ([String](), false)
        for try await event in loader(hang, workers: workers, changesAtOnce: true).events() {
            texts.append(event.text)
            if case .contact = event, !isWritten {
                isWritten = true
                try book.replace(SmallBook.card("cy", photo: SmallBook.inline(3)), in: "cy.vcf")
            }
            if event.text == "changed cy" {
                #expect(!texts.contains("finished"))
                hang.end()
            }
            if texts.contains("finished"), texts.contains("avatar cy rendered") { break }
        }
        #expect(texts.filter { $0.hasPrefix("avatar") }.count == 3)
    }

    @Test func `It keeps no later contact away when it changed`() async throws {
        let hang = Hang(opening: 3)
        var texts: [String] = []
        for try await event in loader(hang, workers: 1, changesAtOnce: false).events() {
            texts.append(event.text)
            switch event.text {
            case "finished": try book.replace(SmallBook.card("ada", photo: SmallBook.inline(4)), in: "ada.vcf")
            case "changed ada": try book.replace(SmallBook.card("cy"), in: "cy.vcf")
            case "changed cy": try book.remove("bo.vcf")
            case "removed bo": hang.end()
            default: break
            }
            if event.text == "avatar ada rendered", texts.contains("removed bo") { break }
        }
    }
}
