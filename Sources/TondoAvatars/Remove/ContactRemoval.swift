internal import Glibc
package import SystemPackage
package import TondoContacts
internal import TondoFiles

/// Removes contacts from a book's files after copying them to the trash. All other bytes stay unchanged. Usable from
/// any thread and by several processes; blocks.
package struct ContactRemoval: Sendable {
    private let book: AddressBook
    private let trash: Trash
    /// The book's folder after resolving links.
    private let root: FilePath
    /// Ids that several contacts of the book claim, see `BookContents`: the trash keeps them for their owners.
    private let shared: Set<String>
    /// Of all contacts of the book.
    private let ids: [Contact.ID]
    /// See `LockedBookFile`.
    var interruption: LockedBookFile.Interruption?
    var retry = ChangeRetry()

    /// `contents`: of the book.
    package init(_ book: AddressBook, _ contents: BookContents, trash: Trash) {
        (self.book, self.trash, shared) = (book, trash, contents.shared)
        ids = shared.isEmpty ? [] : contents.contacts.map(\.id)
        root = book.folder.withoutLinks
    }

    /// The result for one contact.
    package struct Outcome: Sendable {
        package let contact: Contact
        /// The contact's file: absolute, without links. Nil if it could not be determined.
        package let file: FilePath?
        /// The file was deleted, since no contact was left in it.
        package let isDeleted: Bool
        package let problem: RemovalProblem?
    }

    /// Contacts of one file are removed together or not at all. Outcomes are in the order of the contacts. `now`:
    /// seconds since 1970. `isTrial`: reports the outcomes, and changes nothing.
    package func remove(_ contacts: [Contact], now: Int, isTrial: Bool = false) -> [Outcome] {
        var outcomes: [Int: Outcome] = [:]
        let places = Dictionary(grouping: contacts.indices) { contacts[$0].place?.file }
        for (file, indices) in places.sorted(by: { $0.value[0] < $1.value[0] }) {
            let part = indices.map { contacts[$0] }
            let (path, isDeleted, problem) = remove(part, from: file, now: now, isTrial: isTrial)
            for index in indices {
                outcomes[index] = Outcome(
                    contact: contacts[index], file: path, isDeleted: isDeleted, problem: problem)
            }
        }
        return contacts.indices.compactMap { outcomes[$0] }
    }

    /// The outcome for the contacts of one file.
    private typealias FileOutcome = (path: FilePath?, isDeleted: Bool, problem: RemovalProblem?)

    private func remove(
        _ contacts: [Contact], from file: FilePath?, now: Int, isTrial: Bool
    ) -> FileOutcome {
        guard let file else { return (nil, false, .book(book.path, .contactMoved)) }
        var changed: FileOutcome = (nil, false, nil)
        // If another program changed the file meanwhile, the contacts may still be where they were.
        let result: FileOutcome? = retry.run { () -> FileOutcome? in
            let result = remove(contacts, at: file, now: now, isTrial: isTrial)
            guard case .changed? = result.problem else { return result }
            changed = result
            return nil
        }
        return result ?? changed
    }

    private func remove(
        _ contacts: [Contact], at file: FilePath, now: Int, isTrial: Bool
    ) -> FileOutcome {
        var path: FilePath?
        do throws(RemovalProblem) {
            let locked = try LockedBookFile(
                book.folder.pushing(file), inside: book.isFile ? nil : root, interruption)
            path = locked.path
            guard FilePath(locked.path.string) == locked.path else { throw .strangeName(locked.path) }
            try locked.checkWritable()
            var (records, remaining) = try cut(contacts, from: locked, now: now)
            let isDeleted = !book.isFile && records.allSatisfy { $0.format == "vcard" } && Removal.isNothing(remaining)
            if isDeleted { for index in records.indices { records[index].mode = locked.mode } }
            if !isTrial { try carryOut(records, on: locked, leaving: isDeleted ? nil : remaining) }
            return (path, isDeleted, nil)
        } catch { return (path, false, error) }
    }

    private func cut(
        _ contacts: [Contact], from file: LockedBookFile, now: Int
    ) throws(RemovalProblem) -> ([TrashRecord], [UInt8]) {
        var records: [TrashRecord] = []
        do throws(ContactsError) {
            let remaining = try Removal.remaining(of: file.bytes, without: contacts) { contact, removal in
                records.append(
                    TrashRecord(
                        removal, of: contact, file: file.path.string, removedAt: now,
                        isShared: shared.contains(contact.id), twins: twins(of: contact)))
            }
            return (records, remaining)
        } catch { throw .book(file.path, error) }
    }

    /// Equal contacts, which `Identities` distinguishes by a number only.
    private func twins(of contact: Contact) -> Int {
        guard shared.contains(contact.id) else { return 0 }
        let derived = "\(contact.id)-\(contact.fingerprint)"
        return ids.count { $0 == derived || $0.hasPrefix(derived + "-") }
    }

    /// `remaining`: nil deletes the file. When the book cannot be written, the trash forgets what it was given.
    private func carryOut(
        _ records: [TrashRecord], on file: LockedBookFile, leaving remaining: [UInt8]?
    ) throws(RemovalProblem) {
        let items: [Trash.Item]
        do { items = try trash.keep(records) } catch { throw RemovalProblem(error, trash.folder) }
        do throws(RemovalProblem) {
            if let remaining { try file.replace(with: remaining) } else { try file.delete() }
        } catch {
            trash.discard(items)
            throw error
        }
    }
}
