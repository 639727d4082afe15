package import SystemPackage
package import TondoContacts
internal import TondoText

extension AddressBook {
    package typealias Item = Result<Contact, ContactFailure>

    /// Passes the book's contacts and failures to `body`, in its order, one at a time, until it returns false. Ids are
    /// unique, and the groups of all contacts are known. `note`: gets each contact before that, as it is in its file.
    /// Returns the ids that several contacts claim.
    @discardableResult
    package func read(
        _ scan: BookScan, note: (FilePath, Item) -> Void = { _, _ in }, body: (Item) -> Bool
    ) -> Set<String> {
        var merger = ContactMerger(expecting: scan.total, owners: owners)
        for group in scan.groupCards { merger.add(group: group) }
        func hand(_ file: FilePath, _ item: Item) -> Bool {
            note(file, item)
            return body(item.map { merger.add($0) })
        }
        for file in scan.files {
            switch file {
            case .failed(let failure): if !hand(failure.file, .failure(failure)) { return merger.shared }
            case .contents(let file, let contents):
                if !Self.hand(contents, { hand(file, $0) }) { return merger.shared }
            case .cards(let file, _, _, let people?):
                if !people.allSatisfy({ hand(file, $0.map(\.contact)) }) { return merger.shared }
            case .cards(let file, _, _, nil): if !readCards(of: file, { hand(file, $0) }) { return merger.shared }
            }
        }
        return merger.shared
    }

    private static func hand(_ contents: BookContents, _ body: (Item) -> Bool) -> Bool {
        contents.contacts.lazy.filter { $0.kind != .group }.allSatisfy { body(.success($0)) }
            && contents.failures.allSatisfy { body(.failure($0)) }
    }

    /// Without groups. False if `body` returned false.
    private func readCards(of file: FilePath, _ body: (Item) -> Bool) -> Bool {
        do throws(ContactsError) {
            let data = try BookFile(folder.pushing(file))
            let text = try VCardText(data.bytes, limits: limits) { data.release($0) }
            return readCards(of: text, in: data, file: file, body)
        } catch { return body(.failure(ContactFailure(file: file, line: nil, error: error))) }
    }

    /// Reads the contacts of a vCard text that is in memory, until `body` returns false.
    func readCards(of text: VCardText, in data: BookFile, file: FilePath, _ body: (Item) -> Bool) -> Bool {
        let parser = VCardParser(text, file: file)
        var (cards, passed) = (0, ReadBytes(data.fileBytes))
        var failures = FailureList(file, limits)
        for card in text.cards {
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
