extension VCardDraft {
    /// IMPP (RFC 6350 6.4.3), social profiles (RFC 9554 3.5), links, and properties of one messenger each.
    mutating func addMessenger(_ field: VCardField, _ line: VCardLines.Line, _ header: VCardHeader) {
        let value = value(line, header)
        guard !value.isEmpty || header.parameters.user != nil else { return }
        let address = MessengerAddress(value)
        if let messenger = field.messenger {
            return claimMessenger(messenger, handle: header.parameters.user ?? address.handle)
        }
        noteLink(value, header)
        let isLink = field == .url
        let named =
            isLink
            ? nil
            : ([header.parameters.service].compactMap { $0 } + header.parameters.types).lazy.compactMap(
                Messenger.init(word:)
            ).first
        guard let messenger = named ?? address.messenger else { return }
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
        if contact.messengers[messenger] ?? "" == "" { contact.messengers[messenger] = handle }
    }

    mutating func noteLink(_ address: String, _ header: VCardHeader) {
        if let group = header.group { links.append((group, address)) }
    }
}
