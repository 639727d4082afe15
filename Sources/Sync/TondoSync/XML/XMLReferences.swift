internal import TondoText

/// References in text: `&amp;`, `&#x1A;`, `&nbsp;`, and an `&` that begins none.
struct XMLReferences {
    /// The first half of a character that a server wrote as two references, one for each half of UTF-16.
    private var high: UInt32?

    /// `rest` begins with `&`.
    mutating func step(at rest: UnsafeRawBufferPointer, _ isEnd: Bool) -> XMLRepair.Step {
        let most = min(rest.count, CharacterReference.longest)
        guard let end = rest[1..<most].firstIndex(where: { !CharacterReference.isPart($0) }) else {
            return most < CharacterReference.longest && !isEnd ? .incomplete : Self.text
        }
        guard rest[end] == UInt8(ascii: ";"), end > 1 else { return Self.text }
        let name = String(decoding: rest[1..<end], as: UTF8.self)
        if name.hasPrefix("#") { return numeric(name.dropFirst(), count: end + 1) }
        if CharacterReference.ofXML[name] != nil { return .kept(end + 1) }
        guard let number = CharacterReference.ofHTML[name] else { return Self.text }
        return .replaced(XMLCharacters.utf8(number), end + 1)
    }

    private static let text = XMLRepair.Step.replaced(Array("&amp;".utf8), 1)

    private mutating func numeric(_ digits: Substring, count: Int) -> XMLRepair.Step {
        guard let number = CharacterReference.number(of: digits) else { return Self.text }
        let first = high
        high = 0xD800...0xDBFF ~= number ? number : nil
        if let first, 0xDC00...0xDFFF ~= number {
            return .replaced(XMLCharacters.utf8(0x1_0000 + (first - 0xD800) << 10 + (number - 0xDC00)), count)
        }
        return XMLCharacters.isPermitted(number) ? .kept(count) : .replaced([], count)
    }
}
