import TondoContacts

/// An error message with candidates.
enum Candidates {
    /// Further candidates are only counted.
    private static let shown = 10

    static func reportError(_ message: String, candidates: [String], introduction: String) {
        guard !candidates.isEmpty else { return Terminal.reportError(message) }
        Terminal.reportError("\(message); \(introduction):")
        for candidate in candidates.prefix(shown) { Terminal.write("  \(Terminal.printable(candidate))\n") }
        if candidates.count > shown { Terminal.write("  ... and \(candidates.count - shown) more\n") }
    }

    /// `ID  NAME`.
    static func text(_ contact: Contact) -> String {
        contact.displayName.isEmpty ? contact.id : "\(contact.id)  \(contact.displayName.withoutLineEnds)"
    }
}
