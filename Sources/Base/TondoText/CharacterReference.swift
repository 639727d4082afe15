/// What HTML calls a character where it cannot stand itself: `&uuml;`, `&#39;`, `&#x1F600;`.
package enum CharacterReference {
    /// The bytes of the longest one, `&` and `;` included.
    package static let longest = 32

    /// What stands between `&` and `;` is made of these.
    package static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x23, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// The number behind `#`, decimal or hexadecimal; `UInt32.max` if it is too large. Nil for other text.
    package static func number(of digits: Substring) -> UInt32? {
        let isHex = digits.first == "x" || digits.first == "X"
        let plain = isHex ? digits.dropFirst() : digits
        guard !plain.isEmpty, plain.utf8.allSatisfy({ isHex ? Hex.value(of: $0) != nil : 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return UInt32(plain, radix: isHex ? 16 : 10) ?? .max
    }

    /// Those of XML, which has no others.
    package static let ofXML: [String: UInt32] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]

    /// Names of HTML 4 that programs pass on: U+00A0 to U+00FF in order, then those of punctuation.
    package static let ofHTML: [String: UInt32] = {
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
