internal import Dispatch
internal import Synchronization
package import SystemPackage
package import TondoContacts
internal import TondoFiles

/// Books in their order, each as it was read last and read again when it changes. A book that cannot be read keeps its
/// contacts, and is retried every ten seconds, and by `refresh`. Usable from any thread.
package final class WatchedBooks: Sendable {
    /// The values of changed contacts: those of before, and those of now. Kinds without any are missing.
    package typealias Changes = [ContactKey: Set<String>]

    /// A book with the tables by which contacts are found.
    final class Indexed: Sendable {
        let read: ReadBook
        private let names: Mutex<ContactNames>

        init(_ read: ReadBook) {
            self.read = read
            names = Mutex(ContactNames(read.contents.contacts))
        }

        func contacts(with value: String, by key: ContactKey) -> [Contact] {
            names.withLock { $0.contacts(with: value, by: key) }
        }
    }

    /// What is known of a book.
    struct State {
        var book: Indexed?
        /// Why it, or a part of it, could not be read.
        var problem: String?
        fileprivate var watcher: FolderWatcher?
        /// It is not what the path leads to now.
        fileprivate var isLost = false
    }

    private let paths: [FilePath]
    private let reading: @Sendable (FilePath) throws(ContactsError) -> ReadBook
    private let onChange = Mutex<@Sendable (Changes) -> Void>({ _ in })
    /// All reading, so that a book is read by one thread.
    private let reader = DispatchQueue(label: "tondo.books")
    private let states: Mutex<[State]>
    private let refreshed = Mutex(ContinuousClock.now)

    /// Reads all books, and blocks meanwhile.
    package init(
        _ paths: [FilePath], reading: @escaping @Sendable (FilePath) throws(ContactsError) -> ReadBook
    ) {
        self.paths = paths
        self.reading = reading
        states = Mutex(paths.map { _ in State() })
        refresh(all: true)
        readLostLater()
    }

    /// From now on, changes are reported on the reader's thread, once lookups see them.
    package func watch(_ onChange: @escaping @Sendable (Changes) -> Void) {
        self.onChange.withLock { $0 = onChange }
    }

    var all: [State] { states.withLock { $0 } }

    /// Reads lost books again, at most once a second, or all books. Blocks.
    func refresh(all isAll: Bool = false) {
        let isEarly = refreshed.withLock { last in
            let isEarly = ContinuousClock.now - last < .seconds(1)
            if !isEarly { last = .now }
            return isEarly
        }
        if isAll || !isEarly { reader.sync { readLost(all: isAll) } }
    }

    /// On `reader`.
    private func readLost(all isAll: Bool = false) {
        for index in paths.indices where isAll || all[index].isLost { read(index, touched: .none) }
    }

    private func readLostLater() {
        reader.asyncAfter(deadline: .now() + .seconds(10)) { [weak self] in
            self?.readLost()
            self?.readLostLater()
        }
    }

    /// On `reader`.
    private func read(_ index: Int, touched: TouchedFiles) {
        let former = all[index].book
        // Before the book is read, so that no change is missed.
        let watcher = all[index].watcher ?? watch(index)
        let result = Result { () throws(ContactsError) in try reading(paths[index]) }
        states.withLock { states in
            states[index].watcher = watcher
            states[index].isLost = watcher == nil
            switch result {
            case .success(let book):
                states[index].book = Indexed(book)
                states[index].problem = book.failures.first(where: \.isUnreadablePart).map { "\($0)" }
            case .failure(let error):
                states[index].isLost = true
                states[index].problem = "\(paths[index]): \(error)"
            }
        }
        guard let former, case .success(let book) = result else { return }
        let changes = Self.changes(from: former.read, to: book, touched: touched)
        if !changes.isEmpty { onChange.withLock { $0 }(changes) }
    }

    /// Nil: the book is not there.
    private func watch(_ index: Int) -> FolderWatcher? {
        var options = FolderWatcher.Options()
        options.debounceDelay = .milliseconds(50)
        options.ignored = .init(hidden: true, suffixes: [".tmp"])
        return try? FolderWatcher(paths[index].string, options: options) { [weak self] event in
            guard let self else { return }
            reader.async { self.take(event, of: index) }
        }
    }

    private func take(_ event: FolderWatcher.Event, of index: Int) {
        switch event {
        case .changed(let changes):
            read(index, touched: TouchedFiles(changes.added.union(changes.changed).union(changes.removed)))
        case .rescanNeeded: read(index, touched: .all)
        case .ended:
            states.withLock { $0[index].watcher = nil }
            read(index, touched: .all)
        }
    }

    /// The values of all contacts that differ, or whose photo was touched.
    private static func changes(from old: ReadBook, to new: ReadBook, touched: TouchedFiles) -> Changes {
        let first: (Contact, Contact) -> Contact = { first, _ in first }
        let before = Dictionary(old.contents.contacts.map { ($0.id, $0) }, uniquingKeysWith: first)
        let now = Dictionary(new.contents.contacts.map { ($0.id, $0) }, uniquingKeysWith: first)
        var changes: Changes = [:]
        let gone = before.values.filter { now[$0.id] == nil }
        let other = now.values.filter { before[$0.id] != $0 || new.photos.mayHaveChanged(of: $0, touched) }
        for contact in gone + other + other.compactMap({ before[$0.id] }) {
            for key in ContactKey.allCases { changes[key, default: []].formUnion(key.values(of: contact)) }
        }
        return changes.filter { !$0.value.isEmpty }
    }
}
