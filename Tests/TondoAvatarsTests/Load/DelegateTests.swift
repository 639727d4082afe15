import Dispatch
import Synchronization
import Testing
import TondoContacts

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15))) struct DelegateTests {
    /// Records its calls, and signals the end of the load.
    private final class Listener: ContactLoaderDelegate {
        let recorded = Mutex<[String]>([])
        private let ended: @Sendable () -> Void
        private let mark: DispatchSpecificKey<Bool>

        init(_ mark: DispatchSpecificKey<Bool>, ended: @escaping @Sendable () -> Void) {
            (self.mark, self.ended) = (mark, ended)
        }

        private func note(_ text: String) {
            let isHere = DispatchQueue.getSpecific(key: mark) == true
            recorded.withLock { $0.append(isHere ? text : "elsewhere") }
        }

        func loader(_ loader: ContactLoader, didLoadTotal total: Int) { note("total \(total)") }
        func loader(_ loader: ContactLoader, didLoad contact: Contact, at index: Int) { note("contact \(index)") }
        func loader(_ loader: ContactLoader, didPrepare avatar: PreparedAvatar) { note("avatar") }
        func loader(_ loader: ContactLoader, didFail avatar: FailedAvatar) { note("failed") }
        func loader(_ loader: ContactLoader, didFinish summary: LoadSummary) {
            note("finished")
            ended()
        }
        func loader(_ loader: ContactLoader, didStop error: LoadError) {
            note(error.code)
            ended()
        }
    }

    private let queue = DispatchQueue(label: "test")
    private let mark = DispatchSpecificKey<Bool>()
    private let book: SmallBook

    init() throws {
        book = try SmallBook()
        queue.setSpecific(key: mark, value: true)
    }

    private func recorded(by loader: ContactLoader) async -> [String] {
        await withCheckedContinuation { done in
            let listener = Mutex<Listener?>(nil)
            let made = Listener(mark) {
                done.resume(returning: listener.withLock { $0 }?.recorded.withLock { $0 } ?? [])
            }
            listener.withLock { $0 = made }
            loader.load(on: queue, delegate: made)
        }
    }

    @Test func `A delegate gets every event, in order, on its queue`() async throws {
        try book.write(SmallBook.card("ada"), to: "ada.vcf")
        let loader = book.loader()
        #expect(await recorded(by: loader) == ["total 1", "contact 0", "avatar", "finished"])
    }

    @Test func `An unreadable book is reported`() async throws {
        let loader = book.loader([AvatarStyle(size: 16)], "nobody.vcf")
        #expect(await recorded(by: loader) == ["book-unreadable"])
    }

    @Test func `A delegate is not kept alive, and its end is the load's`() async throws {
        try book.write((0..<100).map { SmallBook.card("p\($0)") }.joined(), to: "many.vcf")
        let loader = book.loader(isWatching: true)
        weak var gone: Listener?
        queue.suspend()
        do {
            let listener = Listener(mark) {}
            gone = listener
            loader.load(on: queue, delegate: listener)
        }
        queue.resume()
        queue.sync {}
        #expect(gone == nil)
    }
}
