internal import SystemPackage
internal import TondoContacts

/// File names for contacts: the display name without characters that are unsafe in file systems, shells and terminals.
/// The second contact with a name gets `-2`, and so on. Names differ by more than case: on file systems that fold it, as those
/// of memory cards and of other systems do, one contact's file would replace another's.
struct ContactFileNames {
    /// In lower case.
    private var identities = Identities()

    /// File systems allow 255 bytes; style, size, number and extension follow.
    private static let longest = 180

    /// `taken`: names that are in use.
    init(taken: some Sequence<String> = []) {
        for name in taken { _ = identities.unique(name.lowercased()) }
    }

    mutating func name(for contact: Contact) -> FilePath {
        name(for: Self.safe(contact.displayName) ?? Self.safe(contact.id) ?? "contact")
    }

    /// `name`: without unsafe characters.
    mutating func name(for name: String) -> FilePath {
        let folded = name.lowercased()
        // What makes it unique comes behind it.
        let number = identities.unique(folded).utf8.dropFirst(folded.utf8.count)
        return FilePath(name + String(decoding: number, as: UTF8.self))
    }

    /// Nil if nothing is left.
    static func safe(_ text: String) -> String? {
        var name = ""
        var count = 0
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .format {
                // Joiners make one emoji of several, and shape letters of some scripts. Others are neither seen nor safe.
                guard isJoiner(scalar), let last = name.unicodeScalars.last, last != " " else { continue }
            }
            let scalar = isUnsafe(scalar) ? " " : scalar
            // Consecutive blanks become one; a leading dot or blank would hide the file.
            if scalar == " ", name.last == " " { continue }
            if name.isEmpty, scalar == " " || scalar == "." { continue }
            count += scalar.utf8.count
            if count > longest { break }
            name.unicodeScalars.append(scalar)
        }
        while let last = name.unicodeScalars.last, [" ", "\u{200C}", "\u{200D}"].contains(last) {
            name.unicodeScalars.removeLast()
        }
        return name.isEmpty ? nil : name
    }

    /// U+200C, U+200D, and the tags of the flags of regions.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200C}" || scalar == "\u{200D}" || 0xE0020...0xE007F ~= scalar.value
    }

    /// Slashes and control characters.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "\\" || scalar.properties.isWhitespace
            || [.control, .surrogate, .lineSeparator, .paragraphSeparator].contains(
                scalar.properties.generalCategory)
    }
}
