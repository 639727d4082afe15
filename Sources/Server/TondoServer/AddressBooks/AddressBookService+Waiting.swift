internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoAvatars
internal import TondoFiles

/// Waiting until the books are loaded as far as a response needs.
extension AddressBookService {
    enum Milestone: CaseIterable {
        /// Every total is known.
        case counted
        /// Lists can be served: every contact is in the directory, as it is now or as it was before a reload. Books that
        /// a reload added may still be read.
        case served
        /// Every contact is in the directory.
        case read
    }

    /// Returns once every book is counted or unreadable, or loading has stopped.
    package func waitUntilCounted() async { await wait(for: .counted, atMost: nil) }

    /// Returns once lists can be served; false if that takes longer than a request should wait. `isSentOnce`: no proxy
    /// asks another instance after a refusal, since the request may change something.
    func waitUntilServed(isSentOnce: Bool = false) async -> Bool {
        await wait(for: .served, atMost: isSentOnce ? Self.longestWait(hasOthers: false) : longestWait)
        return isServed
    }

    /// Whether lists can be served. Also true once loading has stopped.
    var isServed: Bool { state.withLock { $0.isThere(.served) } }

    /// Returns once every readable contact is in the directory; false if that takes longer than a request should wait.
    func waitUntilRead() async -> Bool {
        await wait(for: .read, atMost: longestWait)
        return state.withLock { $0.isThere(.read) }
    }

    /// Returns true once the contents of a file that this program changed are in the directory and the events are
    /// published, for every book with this file, and `isShown` agrees. A book that is being read is read first. False
    /// after `longestPublication`: the change is made in any case, and published later. `file`: absolute, without links.
    func waitUntilPublished(_ file: FilePath, isShown: () -> Bool) async -> Bool {
        let end = DispatchTime.now() + .milliseconds(Int(longestPublication / .milliseconds(1)))
        while true {
            if await isPublished(file, until: end), isShown() { return true }
            if DispatchTime.now() >= end || Task.isCancelled || state.withLock({ $0.isStopped }) { return false }
            // The book is unreadable for the moment, or a reload came in between.
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Whether each book with this file was scanned, and no reload replaced its loader meanwhile.
    private func isPublished(_ file: FilePath, until end: DispatchTime) async -> Bool {
        let (loaders, generations) = state.withLock { state in
            let books = state.books.indices.filter { state.follows(file, in: $0) }
            return (books.map { state.loaders[$0] }, state.generations)
        }
        let scanned = Atomic<Int>(0)
        let waiters = loaders.map { loader in
            let waiter = Waiter()
            loader.rescan(at: file) { isScanned in
                if isScanned { scanned.add(1, ordering: .relaxed) }
                waiter.end()
            }
            DispatchQueue.global().asyncAfter(deadline: end) { waiter.end() }
            return waiter
        }
        for waiter in waiters { await waiter.wait() }
        return scanned.load(ordering: .relaxed) == loaders.count
            && state.withLock { $0.generations == generations && !$0.isStopped }
    }

    /// Whether every book is counted or unreadable, as `/readyz` reports. Also true once loading has stopped.
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

    func note(_ book: Int, generation: Int, _ change: (inout Progress) -> Void) {
        let waiting = state.withLock { state -> [Waiter] in
            guard state.isCurrent(book, generation) else { return [] }
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
    /// Whether a change of the file by this program shows in the book. A book that cannot be read stays as it is, except if
    /// it is this file: its watcher may have found it lost already, because this program removed it.
    fileprivate func follows(_ file: FilePath, in book: Int) -> Bool {
        // The file, and what a link leads to, may be gone.
        let path = books[book].followed.withoutLinks
        return progress[book].problem == nil ? file.starts(with: path) : file == path && progress[book].isRead
    }

    func isThere(_ milestone: AddressBookService.Milestone) -> Bool {
        if isStopped { return true }
        return isBegun && progress.allSatisfy { $0.isThere(milestone) }
    }

    /// The waiters whose milestone is reached.
    mutating func takeWaiting() -> [Waiter] {
        if waiting.isEmpty { return [] }
        let reached = AddressBookService.Milestone.allCases.filter { isThere($0) }
        defer { waiting.removeAll { reached.contains($0.milestone) } }
        return waiting.filter { reached.contains($0.milestone) }.map(\.waiter)
    }
}

extension AddressBookService.Progress {
    fileprivate func isThere(_ milestone: AddressBookService.Milestone) -> Bool {
        if problem != nil || isLate { return true }
        return switch milestone {
        case .counted: total != nil
        case .served: isRead || isKept || isAdded
        case .read: isRead
        }
    }
}
