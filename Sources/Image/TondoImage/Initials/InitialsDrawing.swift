internal import TondoText

/// Letters on a plain colour: the photo of a contact that has none. It is made in memory and drawn separately at every size, by the
/// one program that is linked with fonts.
package struct InitialsDrawing: Hashable, Sendable {
    /// At most `mostLetters` grapheme clusters and `mostBytes` bytes of UTF-8, without control characters. Empty: no letters.
    package private(set) var text: String
    /// Opaque; at the top, if there is another one at the bottom.
    package let background: RGBA
    /// Opaque; another colour, into which the background changes. Nil: it is plain.
    package let bottom: RGBA?
    /// Opaque.
    package let foreground: RGBA
    /// Prefers the bold file of each font family; a family in one weight draws both.
    package let isBold: Bool
    /// The digest of the fonts that draw it, see `fontBytes`. A part of the photo, so that other fonts make another avatar.
    package let fonts: [UInt8]

    /// Grapheme clusters; further ones are left out.
    package static let mostLetters = 8
    /// Bytes of UTF-8: a single cluster may have any number of scalars.
    package static let mostBytes = 64
    /// Bytes of a digest (SHA-256).
    package static let fontBytes = 32

    /// Shows the beginning of a text that is too long. Leaves out control characters and the alpha of colours. `fonts`:
    /// `fontBytes` bytes.
    package init(
        text: String, background: RGBA, bottom: RGBA? = nil, foreground: RGBA, isBold: Bool = true, fonts: [UInt8]
    ) {
        precondition(fonts.count == Self.fontBytes, "a digest of the fonts")
        self.text = Self.shortened(text)
        self.background = background.opaque
        self.foreground = foreground.opaque
        self.bottom = bottom.flatMap { $0.opaque == background.opaque ? nil : $0.opaque }
        self.isBold = isBold
        self.fonts = fonts
    }

    /// Whole letters, but of a first one that is too long by itself its beginning.
    private static func shortened(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var bytes = 0
        for (index, letter) in text.prefix(mostLetters).enumerated() {
            let scalars = letter.unicodeScalars.filter { !isControl($0) }
            let length = scalars.reduce(0) { $0 + UTF8.width($1) }
            if bytes + length > mostBytes, index > 0 { break }
            for scalar in scalars where bytes + UTF8.width(scalar) <= mostBytes {
                result.append(scalar)
                bytes += UTF8.width(scalar)
            }
        }
        // Without its control characters a text may have fewer letters, but never more bytes.
        let shown = String(result)
        return shown.count <= mostLetters ? shown : String(shown.prefix(mostLetters))
    }

    /// C0, delete, C1, and the separators of lines and paragraphs.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }
}

// MARK: As bytes

extension InitialsDrawing {
    private static let magic = "tondo-initials 1\n"

    /// The bytes of the photo: six lines, the last one without an end.
    package var encoded: [UInt8] {
        // Made for each contact without a photo, so without strings in between.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes += Self.magic.utf8
        bytes += "background=".utf8
        background.append(to: &bytes)
        if let bottom {
            bytes.append(UInt8(ascii: "-"))
            bottom.append(to: &bytes)
        }
        bytes += "\nforeground=".utf8
        foreground.append(to: &bytes)
        bytes += (isBold ? "\nweight=bold\nfonts=" : "\nweight=regular\nfonts=").utf8
        Hex.append(fonts, to: &bytes)
        bytes += "\ntext=".utf8
        bytes += text.utf8
        return bytes
    }

    /// Exactly the bytes of `encoded`; nil for any other.
    package init?(parsing bytes: UnsafeRawBufferPointer) {
        // No drawing is longer; these may be the bytes of any photo.
        guard bytes.count <= 256, bytes.has(Self.magic) else { return nil }
        var rest = Substring(decoding: bytes.dropFirst(Self.magic.utf8.count), as: UTF8.self)
        func line(_ name: String) -> Substring? {
            guard let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")), rest.utf8.starts(with: name.utf8) else {
                return nil
            }
            defer { rest = Substring(rest.utf8[rest.utf8.index(after: end)...]) }
            return Substring(rest.utf8[..<end].dropFirst(name.utf8.count))
        }
        let ground = line("background=")?.split(separator: "-", maxSplits: 1).map { RGBA(String($0)) } ?? []
        guard let background = ground.first ?? nil, ground.allSatisfy({ $0 != nil }),
            let foreground = line("foreground=").flatMap({ RGBA(String($0)) }),
            let weight = line("weight="), let digits = line("fonts="), let fonts = Hex.bytes(digits.utf8),
            fonts.count == Self.fontBytes, rest.utf8.starts(with: "text=".utf8)
        else { return nil }
        self.init(
            text: String(Substring(rest.utf8.dropFirst(5))), background: background,
            bottom: ground.count > 1 ? ground[1] : nil, foreground: foreground, isBold: weight == "bold", fonts: fonts)
        // One drawing has one form: what reads the same but is written otherwise would be another photo.
        guard encoded.elementsEqual(bytes) else { return nil }
    }
}

extension RGBA {
    fileprivate var opaque: RGBA { RGBA(red: red, green: green, blue: blue) }

    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "#"))
        Hex.append([red, green, blue], to: &bytes)
    }
}

extension ImageHeader {
    /// The sides are nominal: a drawing is made at whatever size is requested.
    static let initials = ImageHeader(format: .initials, width: 1_024, height: 1_024)

    /// Reads bytes that are to be drawn as initials. Only their source can know that they are some, as everything else
    /// in this form is a text file.
    init(initials bytes: UnsafeRawBufferPointer) throws(ImageError) {
        guard let drawing = InitialsDrawing(parsing: bytes) else { throw .notAnImage("not a drawing of initials") }
        self = .initials
        initials = drawing
    }
}
