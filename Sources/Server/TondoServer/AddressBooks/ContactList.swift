internal import Dispatch
internal import Synchronization
internal import TondoContacts
internal import TondoJobs

/// The selected contacts of a snapshot in their order.
struct ContactList: Sendable {
    /// What the text of a contact in a list depends on besides the contact.
    struct Variant: Hashable, Sendable {
        /// The name by which the list is sorted.
        var sort: ContactSort.Name?
        /// The locale of the sections.
        var locale = ""
    }

    let snapshot: ContactSnapshot
    /// Nil: all contacts in the order of the books.
    private let positions: [Int32]?
    /// Finds all of the contacts.
    private let search: ContactSearch
    /// Nil: each contact is listed by itself.
    let people: JoinedPeople?

    var count: Int { positions?.count ?? snapshot.count }

    init(of snapshot: ContactSnapshot) {
        self.snapshot = snapshot
        positions = nil
        search = ContactSearch("")
        people = nil
    }

    /// Blocks the thread.
    init(_ choice: ContactQuery.Choice, of snapshot: ContactSnapshot) {
        self.snapshot = snapshot
        search = ContactSearch(choice.search)
        let condition = ContactIndex.Condition(filter: choice.filter, search: search, group: choice.group)
        let people = choice.isJoined ? snapshot.people : nil
        self.people = people
        let found = snapshot.positions(condition, isFavourite: choice.isFavourite)
        if people == nil, choice.sort == nil {
            positions = found
            return
        }
        // A flag for each contact: marking and testing is linear, while sorting the matches would compare their names.
        var isChosen = [Bool](repeating: false, count: snapshot.count)
        for position in found { isChosen[people.map { Int($0.shown[Int(position)]) } ?? Int(position)] = true }
        let order = choice.sort.map { snapshot.order($0) } ?? (0..<Int32(snapshot.count)).map { $0 }
        positions = order.filter { isChosen[Int($0)] }
    }

    /// The position in the snapshot of a row in the list.
    func position(_ row: Int) -> Int { positions.map { Int($0[row]) } ?? row }

    subscript(row: Int) -> PackedContact { snapshot[position(row)] }

    /// The row of a contact, or of the one that is shown for the person; nil if the list does not contain it.
    func row(of id: String) -> Int? {
        row { $0.utf8.elementsEqual(id.utf8) }
    }

    private func row(where isWanted: (String) -> Bool) -> Int? {
        if let row = (0..<count).first(where: { isWanted(self[$0].id) }) { return row }
        let person = people?.members.first { $0.value.contains { isWanted(snapshot[Int($0)].id) } }
        return person.flatMap { person in (0..<count).first { position($0) == person.key } }
    }

    /// What the list says of the contact in this row besides the contact itself.
    func more(ofRow row: Int, hasMatch: Bool = true) -> ContactDocument.More {
        let position = position(row)
        guard let members = people?.members[Int32(position)] else {
            return ContactDocument.More(
                isFavourite: snapshot.isFavourite(position), match: hasMatch ? match(at: [Int32(position)]) : nil)
        }
        return ContactDocument.More(
            isFavourite: members.contains { snapshot.isFavourite(Int($0)) },
            also: snapshot.others(at: members.dropFirst()), match: hasMatch ? match(at: members) : nil)
    }

    /// What the search of the list matched in the first of these contacts that it finds; nil for a list without a search.
    private func match(at positions: some Sequence<Int32>) -> ContactMatch? {
        if search.isEmpty { return nil }
        return positions.lazy.compactMap { search.match(in: snapshot[Int($0)].contact) }.first
    }

    /// The index letters of the rows. Blocks the thread.
    func sections(_ variant: Variant) -> [ContactSection] {
        let titles = snapshot.titles(variant)
        guard let positions else { return ContactSection.all(of: titles) }
        return ContactSection.all(of: positions.lazy.map { titles[Int($0)] })
    }

    /// Contacts of a page that say what a search matched: more are not on a screen.
    private static let mostMatches = 100

    /// Appends the contacts at these rows, with commas between them; those of a search with what matched. `most`: bytes of
    /// `json` and of a contact to be appended; beyond that it returns false, and `json` is of no use.
    @discardableResult
    func add(
        _ rows: Range<Int>, variant: Variant = Variant(), avatars: AvatarKeys = AvatarKeys(), most: Int = .max,
        to json: inout [UInt8]
    ) -> Bool {
        var headlines = ContactHeadlines(sort: variant.sort, locale: variant.locale)
        for row in rows {
            if row > rows.lowerBound { json.append(UInt8(ascii: ",")) }
            let (block, place) = snapshot.slot(position(row))
            guard let id = block.addOpen(place, variant: variant, headlines: &headlines, most: most, to: &json) else {
                return false
            }
            ContactDocument.close(avatars: avatars.keys(of: id), to: &json)
            let more =
                people == nil && search.isEmpty
                ? ContactDocument.More(isFavourite: block.isFavourite(place))
                : more(ofRow: row, hasMatch: row - rows.lowerBound < Self.mostMatches)
            more.add(to: &json)
        }
        return true
    }

    /// The contacts at these rows as `fields=index` shows them, with commas between them; in parts that were made at
    /// the same time. Blocks the thread.
    func index(of rows: Range<Int>, variant: Variant, avatars: [String: AvatarKeys.Keys]) -> [[UInt8]] {
        // Each part prepares headlines of its own, which small parts do not earn back.
        let size = max((rows.count + Processors.ofService - 1) / Processors.ofService, 2_000)
        let starts = Array(stride(from: rows.lowerBound, to: rows.upperBound, by: size))
        let parts = Mutex([[UInt8]](repeating: [], count: starts.count))
        DispatchQueue.concurrentPerform(iterations: starts.count) { number in
            var json: [UInt8] = number > 0 ? [UInt8(ascii: ",")] : []
            let own = starts[number]..<min(starts[number] + size, rows.upperBound)
            addIndex(of: own, variant: variant, avatars: avatars, to: &json)
            parts.withLock { [json] in $0[number] = json }
        }
        return parts.withLock { $0 }
    }

    private func addIndex(
        of rows: Range<Int>, variant: Variant, avatars: [String: AvatarKeys.Keys],
        to json: inout [UInt8]
    ) {
        var headlines = ContactHeadlines(sort: variant.sort, locale: variant.locale)
        json.reserveCapacity(json.count + 288 * rows.count)
        for row in rows {
            if row > rows.lowerBound { json.append(UInt8(ascii: ",")) }
            let packed = self[row]
            ContactDocument.addIndexed(
                packed.id, headline: headlines.headline(of: packed), avatars: avatars[packed.id], to: &json)
            more(ofRow: row).add(to: &json)
        }
    }

    /// The row after the contact that ended the previous page, wherever that contact is now; if it was removed, its
    /// old row.
    func row(after cursor: ContactCursor) -> Int {
        if isWhereItWas(cursor) { return cursor.offset }
        return self.row(where: cursor.isAt).map { $0 + 1 } ?? cursor.offset
    }

    /// Whether the contact that ended the previous page still has its row.
    func isWhereItWas(_ cursor: ContactCursor) -> Bool {
        (0..<count).contains(cursor.offset - 1) && cursor.isAt(self[cursor.offset - 1].id)
    }
}

/// Makes lists on its own threads: searches on one queue, lists that need a new order of names on another, and all others on a
/// third, so that none waits behind another kind. All are bounded, by number and by time; equal requests coalesce. Keeps the last lists, since clients fetch several pages of one
/// list. Usable from any thread.
final class ContactLists: Sendable {
    private struct Key: Hashable {
        enum Subject: Hashable {
            case list(ContactQuery.Choice)
            case groups
            /// The other contacts of the person, by the id of one.
            case others(String)
            /// Made of a list for the request with this target.
            case text(String)
        }

        var subject: Subject
        var revision: Int
    }

    private enum Output: Sendable {
        case list(ContactList)
        case groups([GroupSummary])
        case others([ContactDocument.Other])
        case text([UInt8])
    }

    private struct State {
        var revision = -1
        var lists: [(choice: ContactQuery.Choice, list: ContactList)] = []
    }

    private let state = Mutex(State())
    private let limit = 8
    private let lists: JobQueue<Key, Output>
    private let searches: JobQueue<Key, Output>
    private let orders: JobQueue<Key, Output>

    /// `depth`: the maximum number of queued searches, and of queued other lists.
    init(depth: Int = 64) {
        var options = JobQueue<Key, Output>.Options()
        options.workers = 2
        options.spares = 0
        options.depth = depth
        options.wait = AvatarService.longestWait
        lists = JobQueue(options)
        searches = JobQueue(options)
        // Clients choose among many orders, and each is half a second of work for a hundred thousand contacts.
        options.workers = 1
        orders = JobQueue(options)
    }

    /// Throws `queueFull` if the queue is full.
    func list(_ choice: ContactQuery.Choice, of snapshot: ContactSnapshot) async throws(ProblemDetails) -> ContactList {
        if let known = known(choice, of: snapshot) { return known }
        let isOrdered = choice.sort.map { snapshot.isOrdered($0) } ?? true && (!choice.isJoined || snapshot.isJoined)
        let queue = isOrdered ? choice.search.isEmpty ? lists : searches : orders
        let made = try await Self.make(Key(subject: .list(choice), revision: snapshot.revision), on: queue) {
            .list(ContactList(choice, of: snapshot))
        }
        guard case .list(let list) = made else { throw .queueFull }
        keep(list, for: choice)
        return list
    }

    /// The list, if it needs no work.
    func known(_ choice: ContactQuery.Choice, of snapshot: ContactSnapshot) -> ContactList? {
        if choice.isWhole { return ContactList(of: snapshot) }
        return state.withLock { state in
            state.revision == snapshot.revision ? state.lists.first { $0.choice == choice }?.list : nil
        }
    }

    /// The other contacts that are the same person. Throws `queueFull` if the queue is full.
    func others(
        of contact: PackedContact, in snapshot: ContactSnapshot
    ) async throws(ProblemDetails) -> [ContactDocument.Other] {
        let made = try await Self.make(Key(subject: .others(contact.id), revision: snapshot.revision), on: lists) {
            .others(snapshot.others(at: snapshot.others(of: contact)))
        }
        if case .others(let others) = made { return others }
        throw .queueFull
    }

    /// Throws `queueFull` if the queue is full.
    func groups(of snapshot: ContactSnapshot) async throws(ProblemDetails) -> [GroupSummary] {
        let made = try await Self.make(Key(subject: .groups, revision: snapshot.revision), on: lists) {
            .groups(snapshot.groups)
        }
        if case .groups(let groups) = made { return groups }
        throw .queueFull
    }

    /// What `body` makes of a list, which takes too long for the thread of a request. `target`: of the request; equal
    /// requests coalesce. Throws `queueFull` if the queue is full.
    func text(
        for target: String, of list: ContactList, _ body: @escaping @Sendable () -> [UInt8]
    ) async throws(ProblemDetails) -> [UInt8] {
        let key = Key(subject: .text(target), revision: list.snapshot.revision)
        if case .text(let text) = try await Self.make(key, on: lists, { .text(body()) }) { return text }
        throw .queueFull
    }

    /// Counters of the searches since the start, including refused ones.
    var searchCounters: JobCounters { searches.counters }

    /// Counters of the lists that needed a new order.
    var orderCounters: JobCounters { orders.counters }

    /// Counters of all other work.
    var listCounters: JobCounters { lists.counters }

    /// Pauses or resumes all other work, for tests.
    func pauseLists(_ isPaused: Bool) { if isPaused { lists.pause() } else { lists.resume() } }

    /// Pauses or resumes the lists that need a new order, for tests.
    func pauseOrders(_ isPaused: Bool) { if isPaused { orders.pause() } else { orders.resume() } }

    /// Pauses or resumes the searches, for tests.
    func pauseSearches(_ isPaused: Bool) { if isPaused { searches.pause() } else { searches.resume() } }

    private func keep(_ list: ContactList, for choice: ContactQuery.Choice) {
        state.withLock { state in
            // A slow search of an older snapshot ends after the lists of the newer one are kept.
            if list.snapshot.revision < state.revision { return }
            if state.revision != list.snapshot.revision {
                state.revision = list.snapshot.revision
                state.lists = []
            }
            let others = state.lists.filter { $0.choice != choice }
            state.lists = Array(([(choice, list)] + others).prefix(limit))
        }
    }

    private static func make(
        _ key: Key, on queue: JobQueue<Key, Output>, _ work: @escaping @Sendable () -> Output
    ) async throws(ProblemDetails) -> Output {
        do throws(JobError) { return try await queue.value(.init(key: key) { _ in work() }) } catch { throw .queueFull }
    }
}
