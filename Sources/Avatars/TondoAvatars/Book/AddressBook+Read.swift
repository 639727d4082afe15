internal import SystemPackage
package import TondoContacts
internal import TondoText

extension AddressBook {
    package typealias Item = Result<Contact, ContactFailure>

    /// A contact in the form in which it was read: those of small files are packed at once, see `BookScan`.
    enum FoundContact: Sendable {
        case unpacked(Contact)
        case packed(PackedContact)

        var contact: Contact {
            switch self {
            case .unpacked(let contact): contact
            case .packed(let packed): packed.contact
            }
        }

        var packed: PackedContact {
            switch self {
            case .unpacked(let contact): PackedContact(contact)
            case .packed(let packed): packed
            }
        }
    }

    typealias FoundItem = Result<FoundContact, ContactFailure>

    /// Passes the book's contacts and failures to `body`, in its order, one at a time, until it returns false. Ids are
    /// unique, and the groups of all contacts are known. Returns the ids that several contacts claim.
    @discardableResult
    package func read(_ scan: BookScan, body: (Item) -> Bool) -> Set<String> {
        var merger = merger(of: scan)
        readFiles(of: scan) { _, item in body(item.map { merger.add($0.contact) }) }
        return merger.shared
    }

    /// Knows the groups, and none of the contacts yet.
    func merger(of scan: BookScan) -> ContactMerger {
        var merger = ContactMerger(expecting: scan.total, owners: owners)
        for group in scan.groupCards { merger.add(group: group) }
        return merger
    }

    /// Passes the contacts and failures to `body` as they are in their files, in the book's order, until it returns false.
    /// `packs`: they are wanted packed.
    func readFiles(of scan: BookScan, packs: Bool = false, body: (FilePath, FoundItem) -> Bool) {
        // Those of the next files, and the number of the first of these.
        var (ahead, first): ([[FoundItem]], Int) = ([], 0)
        for (number, file) in scan.files.enumerated() {
            if case .cards(_, _, _, .text) = file, number >= first + ahead.count {
                ahead = parsed(scan.files[number...].prefix(1_024), packs: packs)
                first = number
            }
            let goesOn =
                switch file {
                case .failed(let failure): body(failure.file, .failure(failure))
                case .contents(let file, let contents): Self.hand(contents) { body(file, $0.map { .unpacked($0) }) }
                case .cards(let file, _, _, .packed(let people)): people.allSatisfy { body(file, $0) }
                case .cards(let file, _, _, .text): ahead[number - first].allSatisfy { body(file, $0) }
                case .cards(let file, _, _, .copy(let data)):
                    readCards(of: file, in: data) { body(file, $0.map { .unpacked($0) }) }
                case .cards(let file, _, _, .none): readCards(of: file) { body(file, $0.map { .unpacked($0) }) }
                }
            if !goesOn { return }
        }
    }

    private static func hand(_ contents: BookContents, _ body: (Item) -> Bool) -> Bool {
        contents.contacts.lazy.filter { $0.kind != .group }.allSatisfy { body(.success($0)) }
            && contents.failures.allSatisfy { body(.failure($0)) }
    }

    /// Without groups. False if `body` returned false.
    private func readCards(of file: FilePath, in copy: BookFile? = nil, _ body: (Item) -> Bool) -> Bool {
        do throws(ContactsError) {
            let data = if let copy { copy } else { try BookFile(folder.pushing(file)) }
            let text = try VCardText(data.bytes, limits: limits) { data.release($0) }
            return readCards(of: text, in: data, file: file, body)
        } catch { return body(.failure(ContactFailure(file: file, line: nil, error: error))) }
    }

    /// Reads the contacts of a vCard text that is in memory, until `body` returns false.
    func readCards(of text: VCardText, in data: BookFile, file: FilePath, _ body: (Item) -> Bool) -> Bool {
        let parser = VCardParser(text: text, file: file)
        var (cards, passed) = (0, ReadBytes(data.fileBytes))
        var failures = FailureList(file: file, limits: limits)
        for card in text.cards where !text.isBlank(card) {
            cards += 1
            if cards > limits.cards { continue }
            let item: Item
            do throws(ContactsError) {
                let contact = try parser.contact(in: card)
                // A group is known from the scan; a broken one is a failure like any other card.
                if card.isGroup { continue }
                item = .success(contact)
            } catch {
                let failure = ContactFailure(file: file, line: card.line, error: error)
                guard failures.add(failure) else { continue }
                item = .failure(failure)
            }
            if !body(item) { return false }
            passed.passed(card.bytes.upperBound)
        }
        return failures.end(entries: cards).allSatisfy { body(.failure($0)) }
    }
}
