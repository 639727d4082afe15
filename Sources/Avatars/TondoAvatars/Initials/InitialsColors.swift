package import TondoContacts
internal import TondoDigest
package import TondoImage

/// The colours of a contact's initials.
package struct InitialsColors: Hashable, Sendable {
    /// The colour at the top of the disc.
    package var background: RGBA
    /// At its bottom, for a gradient; nil: the same as at the top.
    package var bottom: RGBA?
    package var letters: RGBA
    package var isBold = false

    /// By the rule's way of choosing them. `identity`: the contact's id, which a new name leaves as it is; `name`: the shown
    /// one, from which the other projects take the colour.
    package init(rule: InitialsRule, identity: String, name: String) {
        switch rule {
        case .tondo, .off: self = Self.own[Self.index(identity, below: Self.own.count)]
        case .adwaita: self = Self.adwaita[Self.adwaitaIndex(name)]
        case .nextcloud: self = Self.nextcloud(Self.nextcloudPalette[Self.nextcloudIndex(name)])
        // Without the last one, as there. Its hash differs between versions of Qt, so a digest takes its place.
        case .kirigami: self = Self.kirigami[Self.index(name, below: Self.kirigami.count - 1)]
        }
    }

    private init(background: UInt32, bottom: UInt32? = nil, letters: UInt32, isBold: Bool = false) {
        self.background = RGBA(background)
        self.bottom = bottom.map { RGBA($0) }
        self.letters = RGBA(letters)
        self.isBold = isBold
    }

    /// By the first eight bytes of the SHA-256 of a text, so that equal texts have equal colours on every machine.
    private static func index(_ text: String, below count: Int) -> Int {
        Int(SHA256Digest(of: text.utf8).quarters[0] % UInt64(count))
    }
}

extension InitialsColors {
    /// Sixteen hues of OKLCH, 22.5 degrees apart from 12 on, with a chroma of 0.14 or as much of it as sRGB has, and the
    /// lightness that gives a luminance of 0.158, rounded to bytes. So white letters have a contrast of at least 5:1 on
    /// each, and the disc one of 5:1 with a white page and 3.7:1 with a dark one (#121212).
    static let own: [InitialsColors] = [
        0xB64B5E, 0xB64F37, 0xAA5A04, 0x926703, 0x7C7003, 0x5C7802, 0x207F35, 0x047E61, 0x057C79, 0x097A8D, 0x0476A8,
        0x3B6EC0, 0x6764C0, 0x865BB4, 0x9E529E, 0xAE4D80,
    ].map { InitialsColors(background: $0, letters: 0xFFFFFF, isBold: true) }

    /// libadwaita's `_avatar.scss`.
    static let adwaita: [InitialsColors] = [
        (0xCFE1F5, 0x83B6EC, 0x337FDC), (0xCAEAF2, 0x7AD9F1, 0x0F9AC8), (0xCEF8D8, 0x8DE6B1, 0x29AE74),
        (0xE6F9D7, 0xB5E98A, 0x6AB85B), (0xF9F4E1, 0xF8E359, 0xD29D09), (0xFFEAD1, 0xFFCB62, 0xD68400),
        (0xFFE5C5, 0xFFA95A, 0xED5B00), (0xF8D2CE, 0xF78773, 0xE62D42), (0xFAC7DE, 0xE973AB, 0xE33B6A),
        (0xE7C2E8, 0xCB78D4, 0x9945B5), (0xD5D2F5, 0x9E91E8, 0x7A59CA), (0xF2EADE, 0xE3CF9C, 0xB08952),
        (0xE5D6CA, 0xBE916D, 0x785336), (0xD8D7D3, 0xC0BFBC, 0x6E6D71),
    ].map { InitialsColors(background: $0.1, bottom: $0.2, letters: $0.0, isBold: true) }

    /// GLib's `g_str_hash`, which takes signed bytes.
    static func adwaitaIndex(_ name: String) -> Int {
        let hash = name.utf8.prefix { $0 != 0 }.reduce(UInt32(5381)) { hash, byte in
            hash &* 33 &+ UInt32(bitPattern: Int32(Int8(bitPattern: byte)))
        }
        return Int(hash % UInt32(adwaita.count))
    }
}

extension InitialsColors {
    /// Six steps from each colour to the next, without fractions.
    static let nextcloudPalette: [RGBA] = {
        let ends: [RGBA] = [RGBA(0xB6469D), RGBA(0xDDCB55), RGBA(0x0082C9), RGBA(0xB6469D)]
        return (0..<18).map { number in
            let step = Double(number % 6)
            return RGBA(mixing: ends[number / 6], and: ends[number / 6 + 1]) { first, last in
                UInt8(Double(first) + (Double(last) - Double(first)) / 6 * step)
            }
        }
    }()

    /// The sum of the digits of an MD5, which the name may be itself.
    static func nextcloudIndex(_ name: String) -> Int {
        let name = name.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let digits = digits(ofMD5: name) ?? MD5.digest(of: name).flatMap { [$0 >> 4, $0 & 15] }
        return digits.reduce(0) { $0 + Int($1) } % nextcloudPalette.count
    }

    /// 32 digits in lower case, with a hyphen or none behind each fourth.
    private static func digits(ofMD5 text: [UInt8]) -> [UInt8]? {
        var (digits, isHyphenated) = ([UInt8](), true)
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "-") where !isHyphenated && digits.count.isMultiple(of: 4):
                isHyphenated = true
                continue
            default: return nil
            }
            isHyphenated = false
        }
        return digits.count == 32 ? digits : nil
    }

    /// The letters in the colour, on a tenth of it over white.
    private static func nextcloud(_ color: RGBA) -> InitialsColors {
        var colors = InitialsColors(background: 0xFFFFFF, letters: 0)
        colors.letters = color
        colors.background = RGBA(mixing: colors.background, and: color) {
            UInt8((1 - 0.1) * Double($0) + 0.1 * Double($1))
        }
        return colors
    }
}

extension InitialsColors {
    /// The palette of `nameutils.cpp`. The letters are black or white, whichever has the higher contrast.
    static let kirigami: [InitialsColors] = {
        let colors: [UInt32] = [
            0xE93A9A, 0xE93D58, 0xE9643A, 0xEF973C, 0xE8CB2D, 0xB6E521, 0x3DD425, 0x00D485, 0x00D3B8, 0x3DAEE9,
            0xB875DC,
            0x926EE4,
        ]
        return colors.map { color in
            let background = RGBA(color)
            let isDark = background.contrast(with: RGBA(0xFFFFFF)) > background.contrast(with: RGBA(0x000000))
            return InitialsColors(background: color, letters: isDark ? 0xFFFFFF : 0x000000)
        }
    }()
}

extension RGBA {
    /// Opaque; `0xRRGGBB`.
    fileprivate init(_ number: UInt32) {
        func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
        self.init(red: byte(16), green: byte(8), blue: byte(0))
    }

    /// Opaque, mixed channel by channel.
    fileprivate init(mixing one: RGBA, and other: RGBA, by mix: (UInt8, UInt8) -> UInt8) {
        self.init(
            red: mix(one.red, other.red), green: mix(one.green, other.green), blue: mix(one.blue, other.blue))
    }
}
