internal import Glibc
package import SystemPackage
package import TondoContacts
internal import TondoFiles

/// Removes contacts from a book's files after copying them to the trash. All other bytes stay unchanged. A file with
/// several names in the book (hard links) changes under each of them, so that the contact does not stay under another
/// one; names outside the book keep what they have. Reads and writes each file once. Usable from any thread and by
/// several processes; blocks.
package struct ContactRemoval: Sendable {
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
    /// See `LockedBookFile`.
    var interruption: LockedBookFile.Interruption?
    var retry = ChangeRetry()

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
        package let problem: RemovalProblem?
    }

    /// Contacts of one file are removed together or not at all. Outcomes are in the order of the contacts. `now`:
    /// seconds since 1970. `isTrial`: reports the outcomes, and changes nothing.
    package func remove(_ contacts: [Contact], now: Int, isTrial: Bool = false) -> [Outcome] {
        var outcomes: [Int: Outcome] = [:]
        let places = Dictionary(grouping: contacts.indices) { contacts[$0].place?.file }
        let known = Dictionary(grouping: self.contacts.filter { places[$0.place?.file] != nil }) { $0.place?.file }
        for (file, indices) in places.sorted(by: { $0.value[0] < $1.value[0] }) {
            let part = FilePart(contacts: indices.map { contacts[$0] }, known: known[file])
            let (path, isDeleted, problem) = remove(part, from: file, now: now, isTrial: isTrial)
            for index in indices {
                outcomes[index] = Outcome(
                    contact: contacts[index], file: path, isDeleted: isDeleted, problem: problem)
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
    }

    /// The outcome for the contacts of one file.
    private typealias FileOutcome = (path: FilePath?, isDeleted: Bool, problem: RemovalProblem?)

    private func remove(
        _ part: FilePart, from file: FilePath?, now: Int, isTrial: Bool
    ) -> FileOutcome {
        guard let file else { return (nil, false, .book(book.path, .contactMoved)) }
        var changed: FileOutcome = (nil, false, nil)
        // If another program changed the file meanwhile, the contacts may still be where they were.
        let result: FileOutcome? = retry.run { () -> FileOutcome? in
            let result = remove(part, at: file, now: now, isTrial: isTrial)
            guard case .changed? = result.problem else { return result }
            changed = result
            return nil
        }
        return result ?? changed
    }

    private func remove(
        _ part: FilePart, at file: FilePath, now: Int, isTrial: Bool
    ) -> FileOutcome {
        var path: FilePath?
        do throws(RemovalProblem) {
            let locked = try LockedBookFile(
                book.folder.pushing(file), inside: book.isFile ? nil : root,
                names: { identity throws(RemovalProblem) in try otherNames(of: file, identity) }, interruption)
            path = locked.path
            guard FilePath(locked.path.string) == locked.path else { throw .strangeName(locked.path) }
            try locked.checkWritable()
            var (records, remaining) = try cut(part, from: locked, now: now)
            let isDeleted = !book.isFile && records.allSatisfy { $0.format == "vcard" } && Removal.isNothing(remaining)
            let deleted = isDeleted ? try locked.attributes() : nil
            for index in records.indices {
                records[index].deletedFile = deleted
                records[index].otherNames = locked.otherNames.map(\.string)
            }
            if !isTrial { try carryOut(records, on: locked, leaving: isDeleted ? nil : remaining) }
            return (path, isDeleted, nil)
        } catch { return (path, false, error) }
    }

    /// If another process replaced the file since the book was listed, under all its names, the identity is another one.
    private func otherNames(of file: FilePath, _ identity: FileIdentity) throws(RemovalProblem) -> [FilePath] {
        do throws(ContactsError) {
            let book = try self.book.listed()
            // The name that is listed by now would keep the contact.
            guard book.files.contains(file) else { throw .contactMoved }
            return book.otherNames[identity] ?? book.otherNames.values.flatMap(\.self)
        } catch { throw .book(book.path, error) }
    }

    private func cut(
        _ part: FilePart, from file: LockedBookFile, now: Int
    ) throws(RemovalProblem) -> ([TrashRecord], [UInt8]) {
        var records: [TrashRecord] = []
        do throws(ContactsError) {
            let remaining = try Removal.remaining(of: file.bytes, without: part.contacts, known: part.known) {
                contact, cut in
                records.append(
                    TrashRecord(
                        cut: cut, of: contact, file: file.path.string, removedAt: now,
                        hasSharedID: shared.contains(contact.id), duplicates: duplicates(of: contact)))
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
        _ records: [TrashRecord], on file: LockedBookFile, leaving remaining: [UInt8]?
    ) throws(RemovalProblem) {
        let items: [Trash.Item]
        do { items = try trash.keep(records) } catch { throw RemovalProblem(error, trash.folder) }
        do throws(RemovalProblem) {
            if let remaining { try file.replace(with: remaining) } else { try file.delete() }
        } catch {
            // Otherwise the book no longer has it under each name.
            if case .otherName = error {} else { trash.discard(items) }
            throw error
        }
    }
}
