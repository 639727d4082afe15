internal import FuzzSupport
internal import SystemPackage
internal import TondoContacts

/// Reads a book twice. Whatever the bytes are, both readings must be alike, the contacts must lie one behind the other,
/// and each must come back to where it was when it is removed.
func readBook(_ file: [UInt8], as word: String) {
    let recognition = BookFormat.recognise(file)
    Fuzzing.require(recognition == BookFormat.recognise(file), "recognised as two things")
    var format: BookFormat? = ["plist": .propertyList, "csv": .csv, "ldif": .ldif][word]
    if case .book(let known) = recognition, known.word == word { format = known }
    guard let format else { return }
    let contents = try? format.read(file, name: "book")
    Fuzzing.require(contents == (try? format.read(file, name: "book")), "two readings differ")
    guard let contents else { return }
    check(contents, file)
    if recognition == .book(format) {
        for contact in contents.contacts.prefix(3) { remove(contact, file) }
    }
    write(contents)
}

private func check(_ contents: BookContents, _ file: [UInt8]) {
    var (end, line) = (0, 1)
    for contact in contents.contacts {
        Fuzzing.require(!contact.id.isEmpty, "a contact without id")
        guard let place = contact.place else { fatalError("a contact without place") }
        Fuzzing.require(place.bytes.lowerBound >= end, "a contact that begins inside of another")
        Fuzzing.require(place.bytes.upperBound <= file.count && !place.bytes.isEmpty, "a contact outside of the book")
        Fuzzing.require(place.line >= line, "lines that go backwards")
        (end, line) = (place.bytes.upperBound, place.line)
        guard case .inline(.encoded(let photo), _)? = contact.photo else { continue }
        Fuzzing.require(
            place.bytes.lowerBound <= photo.bytes.lowerBound && photo.bytes.upperBound <= place.bytes.upperBound,
            "a picture outside of its contact")
        Array(file[photo.bytes]).withUnsafeBytes { text in
            do throws(ContactsError) {
                _ = try photo.decoded(from: text)
            } catch {
                Fuzzing.require(error != .photoChanged, "a picture that is not where it should be")
            }
        }
    }
    for failure in contents.failures { Fuzzing.require((failure.line ?? 0) > 0, "a failure without line") }
}

private func remove(_ contact: Contact, _ file: [UInt8]) {
    do throws(ContactsError) {
        let removal = try FileEdit(removing: contact, from: file)
        let record = TrashRecord(cut: removal.cut, of: contact, file: "/book", removedAt: 0)
        Fuzzing.require(try record.restored(into: removal.remaining) == file, "a contact came back elsewhere")
        Fuzzing.require(try TrashRecord(decoding: record.encoded()) == record, "a trash record changed")
        _ = try? record.restored(into: Array(removal.remaining.dropLast()))
    } catch {
        // In a damaged book others can appear, or vanish, with the one that goes.
        guard case .refused = error else { fatalError("a contact cannot be removed: \(error)") }
    }
}

/// What was read can be written and read again.
private func write(_ contents: BookContents) {
    var contacts = contents.contacts
    for index in contacts.indices {
        contacts[index].place = nil
        if case .inline? = contacts[index].photo { contacts[index].photo = nil }
    }
    let lines = contacts.map { TondoSchema.line($0, photo: nil) }.joined(separator: Array(",\n".utf8))
    let file = Array(TondoSchema.head(groups: contents.groups).utf8) + lines + Array(TondoSchema.tail.utf8)
    let again = try? BookFormat.json(.tondo).read(file, name: "book")
    Fuzzing.require(again?.contacts == contacts && again?.groups == contents.groups, "writing lost something")
    let words = ContactSearch("a b 1")
    for contact in contacts.prefix(20) { _ = words.finds(contact) }
    _ = ContactSort(.given).order(of: Array(contacts.prefix(20)))
    for phone in contacts.flatMap(\.phones) { _ = PhoneMask.masked(phone.value) }
}
