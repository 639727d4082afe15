extension Contact {
    /// The contact with no field longer than `limit` bytes of UTF-8: texts are cut at a whole character (see
    /// `String.shorten`), and lists to fewer elements. `cut`: the keys in `TondoSchema` of the shortened fields. Ids stay whole.
    package func shortened(to limit: Int) -> (contact: Contact, cut: [String]) {
        var short = self
        var cut: [String] = []
        func note(_ key: String, isCut: Bool) { if isCut { cut.append(key) } }
        note("name", isCut: short.name.shorten(to: limit))
        note("organisation", isCut: short.organisation.shorten(to: limit))
        note("title", isCut: short.title.shorten(to: limit))
        note("role", isCut: short.role.shorten(to: limit))
        note("introduction", isCut: short.introduction.shorten(to: limit))
        note("phones", isCut: short.phones.shorten(to: limit) { $0.size })
        note("emails", isCut: short.emails.shorten(to: limit) { $0.size })
        note("addresses", isCut: short.addresses.shorten(to: limit) { $0.size })
        note("websites", isCut: short.websites.shorten(to: limit) { $0.size })
        note("birthday", isCut: short.birthday.shorten(to: limit))
        note("anniversary", isCut: short.anniversary.shorten(to: limit))
        note("social", isCut: short.social.shorten(to: limit) { $0.size })
        note("related", isCut: short.related.shorten(to: limit) { $0.size })
        note("messengers", isCut: short.shortenMessengers(to: limit))
        note("groups", isCut: short.groups.shorten(to: limit) { $0.id.utf8.count + $0.name.utf8.count })
        note("chatLog", isCut: short.chatLog.shorten(to: limit))
        note("revision", isCut: short.revision.shorten(to: limit))
        note("photo", isCut: short.dropPhoto(over: limit))
        note("members", isCut: short.members.shorten(to: limit))
        return (short, cut)
    }

    private mutating func shortenMessengers(to limit: Int) -> Bool {
        var isCut = false
        for (messenger, handle) in messengers where handle.utf8.count > limit {
            messengers[messenger]?.shorten(to: limit)
            isCut = true
        }
        return isCut
    }

    /// A shortened URL would lead elsewhere, so it is dropped.
    private mutating func dropPhoto(over limit: Int) -> Bool {
        switch photo {
        case .file(let address, _)?, .remote(let address)?:
            guard address.utf8.count > limit else { return false }
            photo = nil
            return true
        case .inline?, nil: return false
        }
    }
}

extension ContactName {
    fileprivate mutating func shorten(to limit: Int) -> Bool {
        var isCut = nicknames.shorten(to: limit)
        for part in [
            \Self.given, \.family, \.additional, \.prefix, \.suffix, \.formatted, \.sortGiven, \.sortFamily,
        ] {
            isCut = self[keyPath: part].shorten(to: limit) || isCut
        }
        return isCut
    }
}

extension ContactPoint {
    fileprivate var size: Int {
        value.utf8.count + (label?.utf8.count ?? 0) + types.reduce(0) { $0 + $1.utf8.count }
    }
}

extension String {
    /// Cuts it at a whole character, or, if the first one is longer than `limit` bytes, inside that one between two scalars.
    /// True if it was longer.
    @discardableResult
    mutating func shorten(to limit: Int) -> Bool {
        guard utf8.count > limit else { return false }
        var end = startIndex
        // Forwards: backwards each step would look at all scalars of a long character before it.
        while true {
            let next = index(after: end)
            if utf8.distance(from: startIndex, to: next) > limit { break }
            end = next
        }
        if end == startIndex {
            // One character may have more accents than the limit permits: then some of them go.
            end = utf8.index(startIndex, offsetBy: limit)
            while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        }
        self = String(self[..<end])
        return true
    }
}

extension String? {
    fileprivate mutating func shorten(to limit: Int) -> Bool { self?.shorten(to: limit) ?? false }
}

extension [String] {
    fileprivate mutating func shorten(to limit: Int) -> Bool {
        shorten(to: limit) { $0.utf8.count }
    }
}

extension Array {
    /// Keeps the first elements that fit together.
    fileprivate mutating func shorten(to limit: Int, size: (Element) -> Int) -> Bool {
        var rest = limit
        guard
            let end = firstIndex(where: { element in
                rest -= size(element)
                return rest < 0
            })
        else { return false }
        removeSubrange(end...)
        return true
    }
}
