internal import Glibc
package import SystemPackage
package import TondoContacts
internal import TondoFiles
internal import TondoMirror

/// Removes contacts from a book's files, or changes their photos, after copying them to the trash. All other bytes stay
/// unchanged. A file with several names in the book (hard links) changes under each of them, so that the contact does not
/// stay as it was under another one; names outside the book keep what they have. Reads and writes each file once. Usable from
/// any thread and by several processes; blocks.
package struct BookChange: Sendable {
    private let book: AddressBook
    private let trash: Trash
    /// The book's folder after resolving links.
    private let root: FilePath
    /// All contacts of the book as they were read, or those of the file that is changed.
    private let contacts: [Contact]
    /// Ids that several contacts of the book claim, see `BookContents`: the trash keeps them for their owners.
    private let shared: Set<String>
    /// The number of contacts with an id, and with that id and a further number.
    private let numbered: [String: Int]
    private let states = MirrorStates()
    /// See `LockedBookFile`.
    var interruption: LockedBookFile.Interruption?
    var retry = ChangeRetry()
    /// Asked before each file; the contacts of those that are left are `interrupted`.
    package var isStopped: @Sendable () -> Bool = { false }

    /// `contents`: the book's, or those of the one file that `book` is limited to. Then a problem may be that the contact
    /// `mayBeElsewhere` by now.
    package init(_ book: AddressBook, _ contents: BookContents, trash: Trash) {
        self.book = book
        self.trash = trash
        shared = contents.shared
        contacts = contents.contacts
        numbered = shared.isEmpty ? [:] : Self.numbered(contents.contacts)
        root = book.folder.withoutLinks
    }

    /// The result for one contact.
    package struct Outcome: Sendable {
        package let contact: Contact
        /// The contact's file: absolute, without links. Nil if it could not be determined.
        package let file: FilePath?
        /// The file was deleted, since no contact was left in it.
        package let isDeleted: Bool
        /// It was removed or changed, or would be. False: there is a problem, or it already is as it was to become.
        package let isChanged: Bool
        /// The contact's item in the trash; nil: nothing was changed.
        package let item: Trash.Item?
        package let problem: ChangeProblem?
    }

    /// Contacts of one file are removed together or not at all. Outcomes are in the order of the contacts. `now`:
    /// seconds since 1970. `isTrial`: reports the outcomes, and changes nothing. Refuses a mirror of `tondo sync`, whose next run
    /// would undo the change, unless that run makes it at the server, too.
    package func remove(_ contacts: [Contact], now: Int, isTrial: Bool = false) -> [Outcome] {
        change(contacts, to: nil, now: now, isTrial: isTrial)
    }

    /// As `remove`, but the contacts get other photos. `rewrite`: gets the bytes of each, perhaps several times, and throws
    /// what becomes the problem of all contacts of the file. One that it leaves as it is has no item in the trash.
    /// `batch`: see `TrashRecord`.
    package func replace(
        _ contacts: [Contact], batch: String? = nil, now: Int, isTrial: Bool = false,
        rewrite: @escaping FileEdit.Rewrite
    ) -> [Outcome] {
        change(contacts, to: rewrite, batch: batch, now: now, isTrial: isTrial)
    }

    /// `rewrite`: nil removes them.
    private func change(
        _ contacts: [Contact], to rewrite: FileEdit.Rewrite?, batch: String? = nil, now: Int, isTrial: Bool
    ) -> [Outcome] {
        var outcomes: [Int: Outcome] = [:]
        let places = Dictionary(grouping: contacts.indices) { contacts[$0].place?.file }
        let known = Dictionary(grouping: self.contacts.filter { places[$0.place?.file] != nil }) { $0.place?.file }
        for (file, indices) in places.sorted(by: { $0.value[0] < $1.value[0] }) {
            let part = FilePart(
                contacts: indices.map { contacts[$0] }, known: known[file], rewrite: rewrite, batch: batch)
            let outcome =
                isStopped()
                ? FileOutcome(problem: .interrupted) : change(part, in: file, now: now, isTrial: isTrial)
            for index in indices {
                let item = outcome.items[contacts[index].id]
                outcomes[index] = Outcome(
                    contact: contacts[index], file: outcome.path, isDeleted: outcome.isDeleted, isChanged: item != nil,
                    item: isTrial ? nil : item, problem: outcome.problem)
            }
        }
        let folders = Set(outcomes.values.compactMap { $0.file?.removingLastComponent() })
        if !isTrial { folders.forEach(LeftBook.clearIfDue) }
        return contacts.indices.compactMap { outcomes[$0] }
    }

    /// Contacts of one file.
    private struct FilePart {
        let contacts: [Contact]
        /// All that were in the file when it was read.
        let known: [Contact]?
        /// Nil removes them.
        let rewrite: FileEdit.Rewrite?
        let batch: String?
    }

    /// The outcome for the contacts of one file.
    private struct FileOutcome {
        var path: FilePath?
        var isDeleted = false
        /// By the ids of contacts. Of a trial, those that would be kept.
        var items: [String: Trash.Item] = [:]
        var problem: ChangeProblem?
    }

    private func change(_ part: FilePart, in file: FilePath?, now: Int, isTrial: Bool) -> FileOutcome {
        guard let file else { return FileOutcome(problem: .book(book.path, .contactMoved)) }
        var changed = FileOutcome()
        // If another program changed the file meanwhile, the contacts may still be where they were.
        let result: FileOutcome? = retry.run { () -> FileOutcome? in
            let result = change(part, at: file, now: now, isTrial: isTrial)
            guard case .changed? = result.problem else { return result }
            changed = result
            return nil
        }
        return result ?? changed
    }

    private func change(_ part: FilePart, at file: FilePath, now: Int, isTrial: Bool) -> FileOutcome {
        var path: FilePath?
        do throws(ChangeProblem) {
            let locked = try LockedBookFile(
                book.folder.pushing(file), inside: book.isFile ? nil : root,
                names: { identity throws(ChangeProblem) in try otherNames(of: file, identity) }, interruption)
            path = locked.path
            try check(locked, for: part)
            return try change(part, in: locked, now: now, isTrial: isTrial)
        } catch { return FileOutcome(path: path, problem: error) }
    }

    /// Throws if the file cannot or must not be changed.
    private func check(_ file: LockedBookFile, for part: FilePart) throws(ChangeProblem) {
        guard FilePath(file.path.string) == file.path else { throw .strangeName(file.path) }
        try file.checkWritable()
    }

    /// The card of a mirror, which its server gets, too; nil: no mirror has the file.
    private func edit(of file: LockedBookFile, for part: FilePart) throws(ChangeProblem) -> MirrorEdit? {
        guard let mirror = MirrorLayout(holding: file.path) else { return nil }
        guard let edit = MirrorEdit(mirror, of: file.path, states: states) else {
            throw .mirror(file.path, name: mirror.name)
        }
        // A server knows cards, and no parts of them.
        guard part.known.map({ $0.count == 1 }) ?? (part.contacts.count == 1) else {
            throw .book(file.path, .refused("the server has several contacts in one card"))
        }
        return edit
    }

    private func change(
        _ part: FilePart, in file: LockedBookFile, now: Int, isTrial: Bool
    ) throws(ChangeProblem) -> FileOutcome {
        let edit = try edit(of: file, for: part)
        var (records, remaining) = try cut(part, from: file, now: now)
        let isDeleted =
            part.rewrite == nil && (!book.isFile || edit != nil) && records.allSatisfy { $0.format == "vcard" }
            && FileEdit.isNothing(remaining)
        let deleted = isDeleted ? try file.attributes() : nil
        for index in records.indices {
            records[index].deletedFile = deleted
            records[index].batch = part.batch
            records[index].mirrorItem = edit?.id
            records[index].otherNames = file.otherNames.map(\.string)
        }
        // Without a record, the photos were there already.
        let items =
            isTrial || records.isEmpty
            ? records.map { Trash.Item(path: "", record: $0) }
            : try carryOut(records, on: file, leaving: isDeleted ? nil : remaining, edit: edit)
        return FileOutcome(
            path: file.path, isDeleted: isDeleted,
            items: Dictionary(items.map { ($0.record.id, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    /// If another process replaced the file since the book was listed, under all its names, the identity is another one.
    private func otherNames(of file: FilePath, _ identity: FileIdentity) throws(ChangeProblem) -> [FilePath] {
        do throws(ContactsError) {
            let book = try self.book.listed()
            // The name that is listed by now would keep the contact.
            guard book.files.contains(file) else { throw .contactMoved }
            return book.otherNames[identity] ?? book.otherNames.values.flatMap(\.self)
        } catch { throw .book(book.path, error) }
    }

    private func cut(
        _ part: FilePart, from file: LockedBookFile, now: Int
    ) throws(ChangeProblem) -> ([TrashRecord], [UInt8]) {
        var records: [TrashRecord] = []
        do throws(ContactsError) {
            let remaining = try FileEdit.applied(
                to: file.bytes, contacts: part.contacts, known: part.known, rewrite: part.rewrite
            ) { contact, cut in
                if cut.isEmpty { return }
                records.append(
                    TrashRecord(
                        cut: cut, of: contact, file: file.path.string, removedAt: now,
                        // A contact that stays keeps its id itself.
                        hasSharedID: part.rewrite == nil && shared.contains(contact.id),
                        duplicates: duplicates(of: contact)))
            }
            return (records, remaining)
        } catch { throw .book(file.path, error) }
    }

    /// Equal contacts, which `Identities` distinguishes by a number only.
    private func duplicates(of contact: Contact) -> Int {
        shared.contains(contact.id) ? numbered["\(contact.id)-\(contact.fingerprint)"] ?? 0 : 0
    }

    private static func numbered(_ contacts: [Contact]) -> [String: Int] {
        var numbered: [String: Int] = [:]
        for contact in contacts {
            numbered[contact.id, default: 0] += 1
            let parts = contact.id.split(separator: "-", omittingEmptySubsequences: false)
            if parts.count > 1, let number = parts.last, number.allSatisfy(\.isNumber) {
                numbered[String(contact.id.dropLast(number.count + 1)), default: 0] += 1
            }
        }
        return numbered
    }

    /// `remaining`: nil deletes the file. When the book cannot be written, the trash forgets what it was given.
    private func carryOut(
        _ records: [TrashRecord], on file: LockedBookFile, leaving remaining: [UInt8]?, edit: MirrorEdit?
    ) throws(ChangeProblem) -> [Trash.Item] {
        let items: [Trash.Item]
        do { items = try trash.keep(records) } catch { throw ChangeProblem(error, trash.folder) }
        do throws(ChangeProblem) {
            let name = records.first?.name ?? ""
            try edit.change(file.path, from: file.bytes, to: remaining, name: name) { () throws(ChangeProblem) in
                if let remaining { try file.replace(with: remaining) } else { try file.delete() }
            }
            return items
        } catch {
            // Otherwise the book no longer has it under each name.
            if case .otherName = error {} else { trash.discard(items) }
            throw error
        }
    }
}

extension MirrorEdit? {
    /// Has the change sent to the server of a mirror; without one, it is that of the book alone.
    func change(
        _ path: FilePath, from before: [UInt8]?, to after: [UInt8]?, name: String,
        body: () throws(ChangeProblem) -> Void
    ) throws(ChangeProblem) {
        guard let self else { return try body() }
        do { try self.change(from: before, to: after, name: name, body: body) } catch {
            throw ChangeProblem(error, path)
        }
    }
}
