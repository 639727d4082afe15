internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoAvatars
internal import TondoFiles

/// Waiting until the books are loaded as far as a response needs.
extension AddressBookService {
    enum Milestone {
        /// Every total is known.
        case counted
        /// Every contact is in the directory.
        case read
    }

    /// Returns once every book is counted or unreadable, or loading has stopped.
    package func waitUntilCounted() async { await wait(for: .counted, atMost: nil) }

    /// Returns once every readable contact is in the directory; false if that takes longer than a request should wait.
    /// `isSentOnce`: no proxy asks another instance after a refusal, since the request may change something.
    func waitUntilRead(isSentOnce: Bool = false) async -> Bool {
        await wait(for: .read, atMost: isSentOnce ? Self.longestWait(hasOthers: false) : longestWait)
        return state.withLock { $0.isThere(.read) }
    }

    /// Returns once the contents of a file that this program changed are in the directory and the events are published,
    /// for every book with this file. A book that is being read is read first. Waits no longer than a request should:
    /// the change is made in any case, and published later. `file`: absolute, without links.
    func waitUntilPublished(_ file: FilePath) async {
        let loaders = state.withLock { state in
            zip(state.books, state.loaders).filter { file.starts(with: $0.0.withoutLinks) }.map(\.1)
        }
        let waiters = loaders.map { loader in
            let waiter = Waiter()
            loader.rescan(at: file) { waiter.end() }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(10)) { waiter.end() }
            return waiter
        }
        for waiter in waiters { await waiter.wait() }
    }

    package var isCounted: Bool { state.withLock { $0.isThere(.counted) } }

    private func wait(for milestone: Milestone, atMost limit: Duration?) async {
        let waiter = Waiter()
        let isThere = state.withLock { state in
            if state.isThere(milestone) { return true }
            state.waiting.append((milestone, waiter))
            return false
        }
        if isThere { return }
        if let limit {
            let deadline = DispatchTime.now() + .milliseconds(Int(limit / .milliseconds(1)))
            DispatchQueue.global().asyncAfter(deadline: deadline) { waiter.end() }
        }
        await waiter.wait()
        state.withLock { $0.waiting.removeAll { $0.waiter === waiter } }
    }

    func note(_ book: Int, _ generation: Int, _ change: (inout Progress) -> Void) {
        let waiting = state.withLock { state -> [Waiter] in
            guard state.generation == generation, state.progress.indices.contains(book) else { return [] }
            change(&state.progress[book])
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.end() }
    }
}

/// Waits until `end` or until its task is cancelled. For one task.
final class Waiter: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOver { state.continuation = continuation }
                    return state.isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            end()
        }
    }

    /// May be called several times.
    func end() {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume()
    }
}

extension AddressBookService.State {
    func isThere(_ milestone: AddressBookService.Milestone) -> Bool {
        if isStopped { return true }
        return isBegun
            && progress.allSatisfy { book in
                if book.problem != nil || book.isLate { return true }
                return milestone == .counted ? book.total != nil : book.isRead
            }
    }

    /// The waiters whose milestone is reached.
    mutating func takeWaiting() -> [Waiter] {
        if waiting.isEmpty { return [] }
        let there = (isThere(.counted), isThere(.read))
        let isDone = { (milestone: AddressBookService.Milestone) in milestone == .counted ? there.0 : there.1 }
        defer { waiting.removeAll { isDone($0.milestone) } }
        return waiting.filter { isDone($0.milestone) }.map(\.waiter)
    }
}
