internal import TondoContacts
package import TondoText

extension LoaderEvent {
    /// The value of `event` in the JSON.
    package var name: String {
        switch self {
        case .total: "total"
        case .contact: "contact"
        case .contactFailed: "contactFailed"
        case .avatar: "avatar"
        case .avatarFailed: "avatarFailed"
        case .finished: "finished"
        case .contactChanged: "contactChanged"
        case .contactRemoved: "contactRemoved"
        }
    }

    /// One JSON object without a line end, the same in the library, the command and the service. `number`: greater than
    /// that of the event before. A service adds an encoded object of the keys of the contact's `avatars`, whether it is a
    /// favourite, and `more` members.
    package func json(
        number: UInt64, avatars: [UInt8]? = nil, isFavourite: Bool = false,
        _ more: (inout JSONObject) -> Void = { _ in }
    ) -> [UInt8] {
        var object = JSONObject()
        object.add("event", name)
        object.add("seq", Int(number))
        switch self {
        case .total(let count): object.add("count", count)
        case .contact(let index, let contact), .contactChanged(let index, let contact):
            object.add("index", index)
            object.add("contact", json: TondoSchema.summary(contact, avatars: avatars, isFavourite: isFavourite))
        case .contactFailed(let failure):
            object.add("file", failure.file)
            object.add("line", failure.line)
            object.add("code", failure.code)
            object.add("message", failure.message)
        case .avatar(let avatar): avatar.add(to: &object)
        case .avatarFailed(let failure):
            object.add("contact", failure.contact)
            object.add("code", failure.code)
            object.add("message", failure.message)
        case .finished(let summary):
            object.add("contacts", summary.contacts)
            object.add("avatars", summary.avatars)
            object.add("cached", summary.cached)
            object.add("rendered", summary.rendered)
            object.add("failed", summary.failed)
            object.add("ms", milliseconds: summary.milliseconds)
        case .contactRemoved(let id): object.add("id", id)
        }
        more(&object)
        return object.bytes
    }
}

extension PreparedAvatar {
    fileprivate func add(to object: inout JSONObject) {
        object.add("contact", contact)
        object.add("style", style)
        object.add("state", state.rawValue)
        object.add("scale", scale)
        object.add("key", key)
        object.add("url", url)
        object.add("kind", kind.rawValue)
        object.add("source", source.rawValue)
        object.add("ms", milliseconds: milliseconds)
    }
}

extension JSONObject {
    /// Three decimals.
    fileprivate mutating func add(_ key: String, milliseconds: Double) {
        let thousandths = Int((milliseconds * 1000).rounded())
        let rest = String(thousandths % 1000)
        let decimals = String(repeating: "0", count: 3 - rest.count) + rest
        add(key, json: Array("\(thousandths / 1000).\(decimals)".utf8))
    }
}
