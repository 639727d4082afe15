internal import FuzzSupport
internal import SystemPackage
internal import TondoContacts

/// Reads every card of a book, twice, and decodes every picture. Whatever the bytes are, the count of cards that say anything
/// must be right, the cards must lie one behind the other, and both readings must be alike.
func readBook(_ bytes: UnsafeRawBufferPointer) {
    guard let text = try? VCardText(bytes) else { return }
    let parser = VCardParser(text: text, file: "book.vcf")
    let scan = text.scan()
    var (people, end, line) = (0, 0, 0)
    for card in text.cards {
        Fuzzing.require(card.bytes.lowerBound >= end, "a card that begins inside of another")
        Fuzzing.require(card.bytes.upperBound <= bytes.count && !card.bytes.isEmpty, "a card outside of the book")
        Fuzzing.require(card.line > line, "a card on the line of another")
        (end, line) = (card.bytes.upperBound, card.line)
        if !card.isGroup, !text.isBlank(card) { people += 1 }
        read(card, parser, bytes)
    }
    Fuzzing.require(people == scan.people, "a wrong count")
}

private func read(_ card: VCardSpan, _ parser: VCardParser, _ book: UnsafeRawBufferPointer) {
    guard let contact = try? parser.contact(in: card) else { return }
    let again = try? parser.contact(in: card)
    Fuzzing.require(contact == again, "two readings of one card differ")
    Fuzzing.require(!contact.id.isEmpty && !contact.isEmpty, "a contact of nothing")
    guard case .inline(.encoded(let photo), _)? = contact.photo else { return }
    Fuzzing.require(
        card.bytes.lowerBound <= photo.bytes.lowerBound && photo.bytes.upperBound <= card.bytes.upperBound,
        "a picture outside of its card")
    let image = try? photo.decoded(from: UnsafeRawBufferPointer(rebasing: book[photo.bytes]))
    Fuzzing.require(image?.isEmpty == false, "a picture without bytes")
}
