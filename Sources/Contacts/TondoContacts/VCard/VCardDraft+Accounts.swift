internal import TondoText

/// Messengers, profiles of networks, and pages.
extension VCardDraft {
    /// IMPP (RFC 6350 6.4.3), social profiles (RFC 9554 3.5), links, and properties of one messenger each.
    mutating func addMessenger(_ field: VCardField, line: VCardLines.Line, header: VCardHeader) {
        let value = value(line, header: header).withoutBrackets
        guard !value.isEmpty || header.parameters.user != nil else { return }
        let address = MessengerAddress(value)
        if field == .account, let network = header.parameters.service {
            if let messenger = Messenger(word: network) {
                return claimMessenger(messenger, handle: header.parameters.user ?? address.handle)
            }
            // KAddressBook has U+E000 between several.
            for one in value.split(separator: "\u{E000}") { addProfile(String(one), header: header, network: network) }
            return
        }
        noteLink(value, header: header)
        let isLink = field.isPage
        let named =
            isLink
            ? nil
            : ([header.parameters.service].compactMap { $0 } + header.parameters.types).lazy.compactMap(
                Messenger.init(word:)
            ).first
        guard let messenger = named ?? address.messenger else {
            if isLink { addWebsite(value, header: header) } else { addProfile(value, header: header) }
            return
        }
        setMessenger(messenger, handle: isLink ? address.handle : header.parameters.user ?? address.handle)
    }

    /// A property of one messenger may contain only yes or no.
    private mutating func claimMessenger(_ messenger: Messenger, handle: String) {
        switch handle.lowercased() {
        case "0", "no", "false": return
        case "1", "yes", "true": setMessenger(messenger, handle: "")
        default: setMessenger(messenger, handle: handle)
        }
    }

    /// The first handle is kept.
    mutating func setMessenger(_ messenger: Messenger, handle: String) {
        // An empty handle says only that there is one, so a later one takes its place.
        if contact.messengers[messenger] ?? "" == "" { contact.messengers[messenger] = handle }
    }

    mutating func noteLink(_ address: String, header: VCardHeader) {
        if let group = header.group { links.append((group, address)) }
    }

    /// A profile of a network that is no messenger of `Messenger`. `network`: of the property.
    mutating func addProfile(_ address: String, header: VCardHeader, network: String? = nil) {
        let user = Self.matrixUser(address)
        let isWhole = network != nil || ASCII.has("http", in: address)
        let profile = user ?? (isWhole ? address : header.parameters.user ?? MessengerAddress(address).handle)
        guard !profile.isEmpty, contact.social.count < Self.mostOfAKind else { return }
        var point = point(profile, header: header)
        // Apple's `x-apple:` names no network, nor do the schemes of all accounts (RFC 3860) and of mail.
        let scheme = isWhole ? nil : address.firstIndex(of: ":").map { address[..<$0].lowercased() }
        let named = scheme.flatMap { ASCII.has("x-", in: $0) || ["im", "mailto"].contains($0) ? nil : $0 }
        let known = user == nil ? network ?? header.parameters.service ?? named ?? point.types.first : "matrix"
        if let word = known?.lowercased() {
            point.types = [Self.network(word)] + point.types.filter { $0 != word }
        }
        // Phones write an account twice, by a property of the network and by IMPP.
        guard header.group != nil || !contact.social.contains(where: { Self.isSame($0, as: point) }) else { return }
        mark(header, as: .social)
        contact.social.append(point)
    }

    /// What programs call a network otherwise.
    static let networks = [
        "gg": "gadugadu", "gadu": "gadugadu", "googletalk": "gtalk", "google": "gtalk", "ymsgr": "yahoo",
        "google-talk": "gtalk", "skype-username": "skype", "yahoo-id": "yahoo", "skypeusername": "skype",
        "yahooid": "yahoo", "weixin": "wechat", "msnim": "msn", "msnmessenger": "msn", "windowslive": "msn",
        "yahoomessenger": "yahoo", "facebookmessenger": "facebook", "fbmessenger": "facebook", "callto": "skype",
    ]

    /// By the word of a program: `prpl-jabber` of Pidgin, `Google Talk`. Others stay as they are.
    private static func network(_ word: String) -> String {
        let plain = ASCII.has("prpl-", in: word) ? String(word.dropFirst(5)) : word
        let joined = plain.filter { !" -_.".contains($0) }
        return networks[plain] ?? networks[joined] ?? (VCardField.networks.contains(joined) ? joined : plain)
    }

    /// `@ada:example.org` of `matrix:u/ada:example.org` and of links to it; nil for other addresses.
    private static func matrixUser(_ address: String) -> String? {
        guard ASCII.has("matrix:", in: address) || ASCII.has("https://matrix", in: address) else { return nil }
        let link = /(?i)(?:https:\/\/matrix\.to\/#\/|matrix:u\/|matrix:)(?:@|%40)?([^@#!+?:\/]+:[^?]+).*/
        return address.wholeMatch(of: link).map { "@" + PercentEncoding.decode(folded: String($0.1)) }
    }

    private static func isSame(_ profile: ContactPoint, as other: ContactPoint) -> Bool {
        let networks = [profile, other].map { $0.types.first == "jabber" ? "xmpp" : $0.types.first }
        return networks[0] == networks[1] && profile.value.lowercased() == other.value.lowercased()
    }
}
