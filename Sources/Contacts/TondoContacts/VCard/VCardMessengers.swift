internal import TondoText

extension Messenger {
    /// By its name or the scheme of its links, in any letter case; nil for another service.
    package init?(word: some StringProtocol) {
        // Most words are types of phones, which are never a messenger.
        guard let first = word.utf8.first, "twvsTWVS".utf8.contains(first), word != "voice", word != "work" else {
            return nil
        }
        switch word.lowercased().filter({ $0.isLetter }) {
        case "telegram", "tg", "telegrammessenger": self = .telegram
        case "whatsapp", "wa", "whatsappmessenger": self = .whatsapp
        case "viber": self = .viber
        case "signal", "sgnl", "signalmessenger": self = .signal
        case "threema": self = .threema
        default: return nil
        }
    }

    /// By the host of its links.
    fileprivate init?(host: some StringProtocol) {
        switch host.lowercased() {
        case "t.me", "telegram.me", "telegram.dog": self = .telegram
        case "wa.me", "api.whatsapp.com", "whatsapp.com": self = .whatsapp
        case "viber.me", "viber.com", "chats.viber.com": self = .viber
        case "signal.me": self = .signal
        case "threema.id": self = .threema
        default: return nil
        }
    }
}

/// An address of a messenger: `tg://resolve?domain=ada`, `https://wa.me/15551234`, `x-apple:ada`, `@ada`.
struct MessengerAddress {
    /// Nil if the address does not show it.
    let messenger: Messenger?
    private let path: Substring

    /// A name or number.
    var handle: String { Self.name(of: path) }

    init(_ address: String) {
        // The common case: only a name or number.
        if address.utf8.allSatisfy({ $0 < 0x80 && (ASCII.isLetter($0) || $0 &- UInt8(ascii: "0") < 10) }) {
            messenger = nil
            path = address[...]
            return
        }
        let (scheme, rest) = Self.split(address)
        guard let scheme else {
            // A link may come without its scheme.
            let link = Self.link(address[...])
            let messenger = address.contains("/") ? Messenger(host: link.host) : nil
            self.messenger = messenger
            path = messenger == nil ? address[...] : link.path
            return
        }
        switch scheme.lowercased() {
        case "http", "https":
            let link = Self.link(rest)
            messenger = Messenger(host: link.host)
            path = link.path
        default:
            path = rest.hasPrefix("//") ? rest.dropFirst(2) : rest
            messenger = Messenger(word: scheme)
        }
    }

    private static func split(_ address: String) -> (scheme: Substring?, rest: Substring) {
        guard let colon = address.firstIndex(of: ":") else { return (nil, address[...]) }
        let scheme = address[..<colon]
        let isScheme = scheme.first?.isLetter == true && scheme.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        return isScheme ? (scheme, address[address.index(after: colon)...]) : (nil, address[...])
    }

    private static func link(_ text: Substring) -> (host: Substring, path: Substring) {
        var text = text.drop { $0 == "/" }
        if text.prefix(4).lowercased() == "www." { text = text.dropFirst(4) }
        let end = text.firstIndex(of: "/") ?? text.firstIndex(of: "?") ?? text.endIndex
        return (text[..<end], text[end...])
    }

    private static let accountKeys: Set = [
        "domain", "number", "phone", "id", "p", "user", "screenname", "contact", "jid",
    ]

    /// The account in a path: the value of its query if it has one, else its last part.
    private static func name(of path: Substring) -> String {
        var name = path
        if let question = path.firstIndex(of: "?") {
            let query = path[path.index(after: question)...]
            let wanted = query.split(separator: "&").first { pair in
                Self.accountKeys.contains(pair.prefix { $0 != "=" }.lowercased())
            }
            name =
                wanted.flatMap { pair in pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...] } }
                ?? path[..<question]
        }
        let last = name.split(separator: "/").last ?? ""
        let plain = PercentEncoding.decode(folded: String(last)).drop { $0 == "@" || $0 == " " }
        return String(plain)
    }
}
