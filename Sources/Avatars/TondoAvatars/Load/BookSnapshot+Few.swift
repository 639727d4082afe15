internal import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// Changes of a few files, at the cost of these: positions and ids of a hundred thousand other contacts stay as they are.
extension BookSnapshot {
    /// One file after a change.
    enum FileChange {
        case read(Part)
        /// Listed, and not to be read yet.
        case unread
        case gone
    }

    /// More files are handled like a change of all.
    static let mostFew = 32

    /// What a change of these files may concern; nil if only a listing of the book shows that.
    func neighbours(of files: [FilePath]) -> Neighbours? {
        guard let folders = known.folders, files.count <= Self.mostFew, known.unread.count <= Self.mostFew else {
            return nil
        }
        return Neighbours(
            folders: folders, read: Set(files.filter { parts[$0] != nil }), unread: known.unread,
            isOnly: order.count <= files.count + known.unread.count)
    }

    struct Neighbours {
        let folders: Set<FilePath>
        /// Those of the files that were read.
        let read: Set<FilePath>
        /// Other files that were not read.
        let unread: Set<FilePath>
        /// The book may have no other file.
        let isOnly: Bool
    }

    /// Gives the difference that `update` gives with the whole order.
    mutating func update(few changes: [FilePath: FileChange]) -> Difference {
        if let difference = updateAlone(changes) { return difference }
        let gone = Set(changes.lazy.filter { if case .gone = $0.value { true } else { false } }.map(\.key))
        var (read, files) = ([FilePath: Part](), order.filter { !gone.contains($0) })
        for (file, change) in changes {
            if case .read(let part) = change { read[file] = part }
            if !gone.contains(file), case (let index, false) = Self.place(of: file, in: files) {
                files.insert(file, at: index)
            }
        }
        return update(read, order: files, listing: known.listing, folders: known.folders)
    }

    /// Nil, and nothing is changed, if ids or groups of other contacts depend on these, or if contacts move.
    private mutating func updateAlone(_ changes: [FilePath: FileChange]) -> Difference? {
        let changes = changes.map { ($0.bytes, $0, $1) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
        var claimed: Set<String> = []
        for (_, file, change) in changes where !isAlone(file, after: change, besides: &claimed) {
            return nil
        }
        var difference = Difference()
        var (index, start) = (0, 0)
        let reported = changes.contains { !(parts[$0.1]?.failures.isEmpty ?? true) } ? Set(failures) : []
        for (_, file, change) in changes {
            let (next, isListed) = Self.place(of: file, in: order)
            start += counts[index..<next].reduce(0, +)
            index = next
            exchange(file, Position(index: index, isListed: isListed, start: start), after: change, noting: &difference)
        }
        let hasFailures = changes.contains { known.filesWithFailures.contains($0.1) }
        if hasFailures || !reported.isEmpty {
            let files = known.filesWithFailures.map { ($0.bytes, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
            failures = known.listing + files.flatMap { parts[$0.1]?.failures ?? [] }
            difference.failures = changes.flatMap { _, file, _ in parts[file]?.failures ?? [] }
                .filter { !reported.contains($0) }
        }
        return difference
    }

    /// Whether the contacts of the file have ids that no other contact claims, before and after, and stay in their order.
    /// `claimed`: the ids of the other changed files, to which these are added.
    private func isAlone(_ file: FilePath, after change: FileChange, besides claimed: inout Set<String>) -> Bool {
        var new: Part?
        if case .read(let part) = change { new = part }
        let old = parts[file]
        guard old?.groups.isEmpty ?? true, new?.groups.isEmpty ?? true else { return false }
        let (before, after) = (old?.people.map(\.id) ?? [], new?.people.map(\.id) ?? [])
        let own = Set(before)
        guard own.union(after).isDisjoint(with: known.shared) else { return false }
        for id in after {
            guard claimed.insert(id).inserted, owners[id] == nil, own.contains(id) || !known.ids.contains(id) else {
                return false
            }
        }
        for id in before where owners[id] != nil { return false }
        let kept = Set(after).intersection(own)
        return before.filter(kept.contains) == after.filter(kept.contains)
    }

    /// Where a file stands in the book, or is to be inserted.
    private struct Position {
        let index: Int
        let isListed: Bool
        /// The number of contacts before the file.
        let start: Int
    }

    private mutating func exchange(
        _ file: FilePath, _ position: Position, after change: FileChange, noting difference: inout Difference
    ) {
        let range = position.start..<position.start + (position.isListed ? counts[position.index] : 0)
        // A copy of these alone: a slice would hold the array, so that the exchange copied all of it.
        let old = Array(people[range])
        var part: Part?
        if case .read(let read) = change { part = read }
        let new = part?.people.map { Person(known.merger.complete($0, id: $0.id)) } ?? []
        compare(old, with: new, packed: part?.people ?? [], from: position.start, noting: &difference)
        for person in old { known.ids.remove(person.id) }
        for person in new { known.ids.insert(person.id) }
        people.replaceSubrange(range, with: new)
        if let former = parts.removeValue(forKey: file) { known.forget(former, of: file) }
        known.unread.remove(file)
        if let part {
            parts[file] = part
            known.note(part, of: file)
        }
        if case .unread = change { known.unread.insert(file) }
        list(file, at: position, count: new.count, isGone: { if case .gone = change { true } else { false } }())
    }

    private mutating func list(_ file: FilePath, at position: Position, count: Int, isGone: Bool) {
        switch (position.isListed, isGone) {
        case (true, false): counts[position.index] = count
        case (true, true):
            order.remove(at: position.index)
            counts.remove(at: position.index)
        case (false, false):
            order.insert(file, at: position.index)
            counts.insert(count, at: position.index)
        case (false, true): break
        }
    }

    /// `packed`: the new contacts; `start`: the position of the first of them.
    private func compare(
        _ old: [Person], with new: [Person], packed: [PackedContact], from start: Int,
        noting difference: inout Difference
    ) {
        let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
        let kept = Set(new.map(\.id))
        difference.removed += old.map(\.id).filter { !kept.contains($0) }
        for (row, now) in new.enumerated() where before[now.id] != now {
            let contact = known.merger.complete(packed[row], id: now.id)
            let last = before[now.id]
            let isNewPhoto = last?.photo != now.photo
            if isNewPhoto || last?.words != now.words {
                difference.changed.append((contact, isNewPhoto, start + row))
            }
            if !isNewPhoto, last?.place != now.place { difference.moved.append(contact) }
        }
    }

    /// The index of a file, or the one to insert it at. `files`: in the order of their bytes.
    private static func place(of file: FilePath, in files: [FilePath]) -> (index: Int, isThere: Bool) {
        let wanted = file.bytes
        var (low, high) = (0, files.count)
        while low < high {
            let middle = (low + high) / 2
            if files[middle].bytes.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
        }
        return (low, low < files.count && files[low] == file)
    }

    /// The ids of the contacts in a few files.
    func ids(inFew files: some Sequence<FilePath>) -> [String] {
        files.flatMap { file in
            let (index, isThere) = Self.place(of: file, in: order)
            guard isThere else { return [String]() }
            let start = counts[..<index].reduce(0, +)
            return people[start..<start + counts[index]].map(\.id)
        }
    }

    /// Contacts in these files that name a photo by its path, as they are in their files.
    func contactsNamingPhotos(in files: some Sequence<FilePath>) -> [Contact] {
        files.flatMap { parts[$0]?.people.filter(\.namesPhotoFile).map(\.contact) ?? [] }
    }

    /// Contacts that name photos with these last components, without the groups that contain them.
    func contacts(namingPhotos names: some Sequence<String>) -> [Contact] {
        let files = names.reduce(into: Set<FilePath>()) { $0.formUnion(known.filesByPhotoName[$1] ?? []) }
        return files.flatMap { file in
            zip(ids(inFew: [file]), parts[file]?.people ?? []).compactMap { id, packed in
                packed.namesPhotoFile ? packed.renamed(id).contact : nil
            }
        }
    }
}
