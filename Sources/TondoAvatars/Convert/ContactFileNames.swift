internal import SystemPackage
internal import TondoContacts

/// Gives contacts file names: the displayed name without what file systems, shells and terminals stumble over. The second
/// of a name gets `-2`, and so on.
struct ContactFileNames {
    private var identities = Identities()

    /// File systems take 255 bytes; style, size, number and extension follow.
    private static let longest = 180

    /// `taken`: names that others have.
    init(taken: [String] = []) {
        for name in taken { _ = identities.unique(name) }
    }

    mutating func name(for contact: Contact) -> FilePath {
        let name = Self.safe(contact.displayName) ?? Self.safe(contact.id) ?? "contact"
        return FilePath(identities.unique(name))
    }

    /// Nil when nothing is left.
    static func safe(_ text: String) -> String? {
        var name = ""
        var count = 0
        for scalar in text.unicodeScalars {
            let scalar = isUnsafe(scalar) ? " " : scalar
            // Blanks in a row become one; a dot or blank in front would hide the file or itself.
            if scalar == " ", name.last == " " { continue }
            if name.isEmpty, scalar == " " || scalar == "." { continue }
            count += scalar.utf8.count
            if count > longest { break }
            name.unicodeScalars.append(scalar)
        }
        if name.last == " " { name.removeLast() }
        return name.isEmpty ? nil : name
    }

    /// Slashes, controls, and marks that turn the direction of what follows.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "\\" || scalar.properties.isWhitespace
            || [.control, .format, .surrogate, .lineSeparator, .paragraphSeparator].contains(
                scalar.properties.generalCategory)
    }
}
