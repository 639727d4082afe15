private import Foundation

/// The letters of GNOME's `AdwAvatar` (libadwaita, `adw-avatar.c`): the name in upper case, without blanks of ASCII at its
/// ends, in NFC; the first code point and the one behind the last blank. Code points, not grapheme clusters: a letter that
/// has no composed form loses its marks there, too.
package enum AdwaitaInitials {
    /// Empty for a name of blanks.
    package static func letters(of name: String) -> String {
        let blanks: Set<Unicode.Scalar> = [" ", "\t", "\n", "\u{B}", "\u{C}", "\r"]
        let upper = name.uppercased().unicodeScalars
        guard let first = upper.firstIndex(where: { !blanks.contains($0) }),
            let last = upper.lastIndex(where: { !blanks.contains($0) })
        else { return "" }
        let text = String(upper[first...last]).precomposedStringWithCanonicalMapping.unicodeScalars
        var letters = String(text.prefix(1))
        if let blank = text.lastIndex(of: " ") { letters.unicodeScalars += text[blank...].dropFirst().prefix(1) }
        return letters
    }
}
