package import SystemPackage

/// Collects the contacts of one file, within the limits.
struct BookBuilder {
    let limits: BookLimits
    private var contents = BookContents()
    private var entries = 0
    private var failures: FailureList

    init(file: FilePath, limits: BookLimits) {
        self.limits = limits
        failures = FailureList(file: file, limits: limits)
    }

    var hasFailures: Bool { !failures.isEmpty }
    var contacts: [Contact] { contents.contacts }

    /// Call once for each entry: false if the file has more than are read. The entry is counted all the same.
    mutating func hasRoom() -> Bool {
        entries += 1
        return entries <= limits.cards
    }

    mutating func add(_ contact: Contact) { contents.contacts.append(contact) }

    mutating func add(_ group: ContactGroup) { contents.groups.append(group) }

    mutating func add(_ groups: [ContactGroup]) { contents.groups += groups }

    mutating func add(_ failure: ContactFailure) { failures.add(failure) }

    mutating func change(_ index: Int, body: (inout Contact) -> Void) { body(&contents.contacts[index]) }

    consuming func finished() -> BookContents {
        failures.end(entries: entries)
        contents.failures = failures.failures
        return contents
    }
}

/// The failures of one file: the first ones in full, the rest as a count.
package struct FailureList {
    /// In the order of the file, `BookLimits.failures` at most until `end`.
    package private(set) var failures: [ContactFailure] = []
    private let file: FilePath
    private let limits: BookLimits
    private var more = 0

    /// `file`: named by the failures that `end` adds.
    package init(file: FilePath, limits: BookLimits = .standard) {
        self.file = file
        self.limits = limits
    }

    package var isEmpty: Bool { failures.isEmpty }

    /// False if it is only counted.
    @discardableResult
    package mutating func add(_ failure: ContactFailure) -> Bool {
        guard failures.count < limits.failures else {
            more += 1
            return false
        }
        failures.append(failure)
        return true
    }

    /// Adds a failure for the whole file with the number of those that were only counted. `entries`: the number of all
    /// entries. Returns what was added.
    @discardableResult
    package mutating func end(entries: Int) -> [ContactFailure] {
        var added: [ContactFailure] = []
        if more > 0 { added.append(ContactFailure(file: file, line: nil, error: .moreFailures(more))) }
        if entries > limits.cards {
            let error = ContactsError.overLimit(.cards, found: entries, limit: limits.cards)
            added.append(ContactFailure(file: file, line: nil, error: error))
        }
        failures += added
        return added
    }
}

/// The contents of one file of a book.
package struct BookContents: Equatable, Sendable {
    /// In the file's order. Their ids are the file's own, or derived from their contents; `ContactMerger` makes them
    /// unique in a book.
    package var contacts: [Contact] = []
    /// Groups that the file declares, in its order, including empty ones.
    package var groups: [ContactGroup] = []
    /// In the file's order.
    package var failures: [ContactFailure] = []

    /// Ids that several contacts of the book claim, so that only one of them has it, see `Identities`.
    package var shared: Set<String> = []

    package init() {}
}
