/// References in text: `&amp;`, `&#x1A;`, `&nbsp;`, and an `&` that begins none.
struct XMLReferences {
    /// The longest reference, `&` and `;` included.
    private static let longest = 32

    /// The first half of a character that a server wrote as two references, one for each half of UTF-16.
    private var high: UInt32?

    /// `rest` begins with `&`.
    mutating func step(at rest: UnsafeRawBufferPointer, _ isEnd: Bool) -> XMLRepair.Step {
        let most = min(rest.count, Self.longest)
        guard let end = rest[1..<most].firstIndex(where: { !Self.isPart($0) }) else {
            return most < Self.longest && !isEnd ? .incomplete : Self.text
        }
        guard rest[end] == UInt8(ascii: ";"), end > 1 else { return Self.text }
        let name = String(decoding: rest[1..<end], as: UTF8.self)
        if name.hasPrefix("#") { return numeric(name.dropFirst(), count: end + 1) }
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return .kept(end + 1) }
        guard let number = Self.names[name] else { return Self.text }
        return .replaced(XMLCharacters.utf8(number), end + 1)
    }

    private static let text = XMLRepair.Step.replaced(Array("&amp;".utf8), 1)

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x23, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private mutating func numeric(_ digits: Substring, count: Int) -> XMLRepair.Step {
        let isHex = digits.first == "x" || digits.first == "X"
        let plain = isHex ? digits.dropFirst() : digits
        guard !plain.isEmpty, plain.utf8.allSatisfy({ isHex ? Self.isHex($0) : 0x30...0x39 ~= $0 }) else {
            return Self.text
        }
        let number = UInt32(plain, radix: isHex ? 16 : 10) ?? .max
        let first = high
        high = 0xD800...0xDBFF ~= number ? number : nil
        if let first, 0xDC00...0xDFFF ~= number {
            return .replaced(XMLCharacters.utf8(0x1_0000 + (first - 0xD800) << 10 + (number - 0xDC00)), count)
        }
        return XMLCharacters.isPermitted(number) ? .kept(count) : .replaced([], count)
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
    }

    /// Names of HTML 4 that servers pass on: U+00A0 to U+00FF in order, then those of punctuation.
    private static let names: [String: UInt32] = {
        let latin = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para \
            middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute \
            Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml \
            Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth \
            ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
            """
        var names: [String: UInt32] = [
            "euro": 0x20AC, "hellip": 0x2026, "ndash": 0x2013, "mdash": 0x2014, "lsquo": 0x2018, "rsquo": 0x2019,
            "sbquo": 0x201A, "ldquo": 0x201C, "rdquo": 0x201D, "bdquo": 0x201E, "bull": 0x2022, "trade": 0x2122,
        ]
        for (offset, name) in latin.split(separator: " ").enumerated() { names[String(name)] = 0xA0 + UInt32(offset) }
        return names
    }()
}
