internal import Synchronization
internal import TondoContacts
internal import TondoJobs

/// The chosen people of a snapshot in their order.
struct ContactList: Sendable {
    let snapshot: ContactSnapshot
    /// Nil: everybody in the books' order.
    private let positions: [Int32]?

    var count: Int { positions?.count ?? snapshot.count }

    init(of snapshot: ContactSnapshot) { (self.snapshot, positions) = (snapshot, nil) }

    /// Blocks.
    init(_ choice: ContactQuery.Choice, of snapshot: ContactSnapshot) {
        self.snapshot = snapshot
        let condition = ContactIndex.Condition(choice.filter, ContactSearch(choice.search), group: choice.group)
        guard let sort = choice.sort else {
            positions = snapshot.positions(condition)
            return
        }
        var isChosen = [Bool](repeating: false, count: snapshot.count)
        for position in snapshot.positions(condition) { isChosen[Int(position)] = true }
        positions = snapshot.order(sort).filter { isChosen[Int($0)] }
    }

    /// Where the contact at a place of the list is in the snapshot.
    func position(_ place: Int) -> Int { positions.map { Int($0[place]) } ?? place }

    subscript(place: Int) -> PackedContact { snapshot[position(place)] }

    /// Behind the one a page ended with, wherever that is now; when it is gone, where it was.
    func place(after cursor: ContactCursor) -> Int {
        let expected = cursor.offset - 1
        if (0..<count).contains(expected), cursor.isAt(self[expected].id) { return cursor.offset }
        return (0..<count).first { cursor.isAt(self[$0].id) }.map { $0 + 1 } ?? cursor.offset
    }
}

/// Makes lists on threads of its own: searches on one queue, everything else on another, so that lists never wait behind
/// searches. Both are bounded; equal requests share the work. Keeps the last lists, since clients turn pages. Usable from any
/// thread.
final class ContactLists: Sendable {
    private struct Key: Hashable {
        /// Nil: the groups.
        var choice: ContactQuery.Choice?
        var revision: Int
    }

    private enum Made: Sendable {
        case list(ContactList)
        case groups([GroupSummary])
    }

    private struct State {
        var revision = -1
        var lists: [(choice: ContactQuery.Choice, list: ContactList)] = []
    }

    private let state = Mutex(State())
    private let limit = 8
    private let lists: JobQueue<Key, Made>
    private let searches: JobQueue<Key, Made>

    /// `depth`: searches that may wait, and lists of other kinds.
    init(depth: Int = 64) {
        var options = JobQueue<Key, Made>.Options()
        (options.workers, options.spares, options.depth) = (2, 0, depth)
        (lists, searches) = (JobQueue(options), JobQueue(options))
    }

    /// Throws `queueFull` when too many wait.
    func list(
        _ choice: ContactQuery.Choice, of snapshot: ContactSnapshot
    ) async throws(ProblemDetails) -> ContactList {
        if choice.isWhole { return ContactList(of: snapshot) }
        let known = state.withLock { state in
            state.revision == snapshot.revision ? state.lists.first { $0.choice == choice }?.list : nil
        }
        if let known { return known }
        let queue = choice.search.isEmpty ? lists : searches
        let made = try await Self.make(Key(choice: choice, revision: snapshot.revision), on: queue) {
            .list(ContactList(choice, of: snapshot))
        }
        guard case .list(let list) = made else { throw .queueFull }
        keep(list, for: choice)
        return list
    }

    /// Throws `queueFull` when too many wait.
    func groups(of snapshot: ContactSnapshot) async throws(ProblemDetails) -> [GroupSummary] {
        let made = try await Self.make(Key(choice: nil, revision: snapshot.revision), on: lists) {
            .groups(snapshot.groups)
        }
        if case .groups(let groups) = made { return groups }
        throw .queueFull
    }

    /// Searches, and those of them that were refused since the start.
    var searchCounters: JobCounters { searches.counters }

    /// Stops or resumes the searches, for tests.
    func pauseSearches(_ isPaused: Bool) { if isPaused { searches.pause() } else { searches.resume() } }

    private func keep(_ list: ContactList, for choice: ContactQuery.Choice) {
        state.withLock { state in
            if list.snapshot.revision < state.revision { return }
            if state.revision != list.snapshot.revision { (state.revision, state.lists) = (list.snapshot.revision, []) }
            let others = state.lists.filter { $0.choice != choice }
            state.lists = Array(([(choice, list)] + others).prefix(limit))
        }
    }

    private static func make(
        _ key: Key, on queue: JobQueue<Key, Made>, _ work: @escaping @Sendable () -> Made
    ) async throws(ProblemDetails) -> Made {
        do throws(JobError) { return try await queue.value(.init(key) { _ in work() }) } catch { throw .queueFull }
    }
}
