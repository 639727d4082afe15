internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoAvatars

/// Waiting until the books are as far as an answer needs them to be.
extension Library {
    enum Milestone {
        /// Every total is known.
        case counted
        /// Everybody is in the directory.
        case read
    }

    /// Returns when every book is counted, or cannot be read, or nothing is loaded any more.
    package func waitUntilCounted() async { await wait(for: .counted, atMost: nil) }

    /// Returns when everybody is in the directory, as far as the books can be read; false when that takes longer than
    /// requests should wait.
    func waitUntilRead() async -> Bool {
        await wait(for: .read, atMost: .seconds(10))
        return state.withLock { $0.isThere(.read) }
    }

    /// Returns when everything that a file says which this program changed is in the directory and in the ring, for every
    /// book that the file belongs to. A book that is being read is read first. Waits no longer than requests should: the
    /// change is made, and told later. `file`: absolute, without links.
    func waitUntilTold(_ file: FilePath) async {
        let loaders = state.withLock { state in
            zip(state.books, state.loaders).filter { file.starts(with: $0.0.withoutLinks) }.map(\.1)
        }
        let waiters = loaders.map { loader in
            let waiter = Waiter()
            loader.look(at: file) { waiter.end() }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(10)) { waiter.end() }
            return waiter
        }
        for waiter in waiters { await waiter.wait() }
    }

    package var isCounted: Bool { state.withLock { $0.isThere(.counted) } }

    private func wait(for milestone: Milestone, atMost limit: DispatchTimeInterval?) async {
        let waiter = Waiter()
        let isThere = state.withLock { state in
            if state.isThere(milestone) { return true }
            state.waiting.append((milestone, waiter))
            return false
        }
        if isThere { return }
        if let limit { DispatchQueue.global().asyncAfter(deadline: .now() + limit) { waiter.end() } }
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

/// Waits until it is told to wait no longer, or its task is cancelled. For one task.
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

extension Library.State {
    func isThere(_ milestone: Library.Milestone) -> Bool {
        if isStopped { return true }
        return isBegun
            && progress.allSatisfy { book in
                if book.problem != nil || book.isLate { return true }
                return milestone == .counted ? book.total != nil : book.isRead
            }
    }

    /// Those who need not wait any longer.
    mutating func takeWaiting() -> [Waiter] {
        if waiting.isEmpty { return [] }
        let there = (isThere(.counted), isThere(.read))
        let isDone = { (milestone: Library.Milestone) in milestone == .counted ? there.0 : there.1 }
        defer { waiting.removeAll { isDone($0.milestone) } }
        return waiting.filter { isDone($0.milestone) }.map(\.waiter)
    }
}
