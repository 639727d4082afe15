/// The type of a phone number or address as Google Contacts writes it: `* Home`, `Mobile`, `Work Fax` or a custom word.
struct GoogleLabel {
    let text: String
    /// Marked with `*`.
    let isPreferred: Bool
    /// In lower case, as vCards have them (RFC 6350 6.4.1).
    let types: [String]
    /// A custom word; nil if the types express it.
    let own: String?

    init(_ label: String) {
        isPreferred = label.hasPrefix("*")
        text = String(label.drop { $0 == "*" }).trimmed
        let known = text.isEmpty ? [] : Self.known[text.lowercased()]
        types = known ?? []
        own = known == nil ? text : nil
    }

    private static let known: [String: [String]] = [
        "home": ["home"], "work": ["work"], "mobile": ["cell"], "cell": ["cell"], "main": ["main"], "other": [],
        "obsolete": [], "home fax": ["home", "fax"], "work fax": ["work", "fax"], "fax": ["fax"], "pager": ["pager"],
        "internet": [], "work mobile": ["work", "cell"], "home mobile": ["home", "cell"],
    ]
}
