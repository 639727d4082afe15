/// The photo files that a book's contacts name, relative to its folder, and those that came and went since they were last
/// taken. A change of a contact costs this contact, however large the book is.
struct NamedPhotoFiles {
    /// Which files to watch.
    enum Change: Equatable {
        case all(Set<String>)
        case few(new: Set<String>, gone: Set<String>)
    }

    /// The number of contacts that name a file.
    private var counts: [String: Int] = [:]
    private var new: Set<String> = []
    private var gone: Set<String> = []
    private var isTaken = false

    init(_ files: some Sequence<String>) {
        for file in files { counts[file, default: 0] += 1 }
    }

    var all: Set<String> { Set(counts.keys) }

    mutating func add(_ file: String) {
        counts[file, default: 0] += 1
        guard counts[file] == 1, gone.remove(file) == nil else { return }
        new.insert(file)
    }

    mutating func remove(_ file: String) {
        guard let count = counts[file] else { return }
        counts[file] = count > 1 ? count - 1 : nil
        guard count == 1, new.remove(file) == nil else { return }
        gone.insert(file)
    }

    /// What changed since the last call, at first everything; nil: nothing.
    mutating func takeChange() -> Change? {
        defer {
            new = []
            gone = []
            isTaken = true
        }
        guard isTaken else { return .all(all) }
        return new.isEmpty && gone.isEmpty ? nil : .few(new: new, gone: gone)
    }

    /// All of them, for a new watch; `takeChange` gives what changes from now on.
    mutating func takeAll() -> Set<String> {
        new = []
        gone = []
        isTaken = true
        return all
    }
}
