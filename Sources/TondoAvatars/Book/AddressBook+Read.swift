internal import SystemPackage
package import TondoContacts

extension AddressBook {
    package typealias Item = Result<Contact, ContactFailure>

    /// Hands the book's people and failures to `body`, in its order, one at a time, until it gives false. Ids are
    /// unique, and everybody's groups are known.
    package func read(_ survey: BookSurvey, body: (Item) -> Bool) {
        var register = BookRegister(expecting: survey.total)
        for group in survey.groupCards { register.add(group: group) }
        readRaw(survey) { item in
            body(item.map { register.admit($0) })
        }
    }

    /// The same before a register made one book of them.
    private func readRaw(_ survey: BookSurvey, body: (Item) -> Bool) {
        for file in survey.files {
            switch file {
            case .failed(let failure): if !body(.failure(failure)) { return }
            case .contents(_, let contents): if !Self.hand(contents, to: body) { return }
            case .cards(let file, _, _): if !readCards(of: file, body) { return }
            }
        }
    }

    private static func hand(_ contents: BookContents, to body: (Item) -> Bool) -> Bool {
        contents.contacts.lazy.filter { $0.kind != .group }.allSatisfy { body(.success($0)) }
            && contents.failures.allSatisfy { body(.failure($0)) }
    }

    /// Without groups. False when `body` has enough.
    private func readCards(of file: FilePath, _ body: (Item) -> Bool) -> Bool {
        do throws(ContactsError) {
            let data = try BookFile(folder.pushing(file))
            let text = try VCardText(data.bytes)
            let parser = VCardParser(text, file: file)
            var forgotten = 0
            for card in text.cards where !card.isGroup {
                let item: Item
                do throws(ContactsError) { item = .success(try parser.contact(in: card)) } catch {
                    item = .failure(ContactFailure(file: file, line: card.line, error: error))
                }
                if !body(item) { return false }
                forgotten = data.forget(before: card.bytes.upperBound, since: forgotten)
            }
            return true
        } catch { return body(.failure(ContactFailure(file: file, line: nil, error: error))) }
    }
}
