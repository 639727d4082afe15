internal import TondoText

/// An outline that is a list of friend groups. Each group and friend is read separately, so that errors stay local.
struct FriendGroupList {
    let outline: XMLOutline
    /// Elements that should be dictionaries.
    let groups: [Int]

    /// Nil if the outline is something else.
    init?(_ outline: XMLOutline) {
        guard var root = outline.elements.indices.first else { return nil }
        if outline.isNamed(root, "plist") {
            guard let content = outline.children(of: root).first else { return nil }
            root = content
        }
        guard outline.isNamed(root, "array") else { return nil }
        self.outline = outline
        groups = outline.children(of: root)
        guard groups.isEmpty || groups.contains(where: { value(of: "friends", in: $0) != nil }) else { return nil }
    }

    /// The elements of the group's `friends`, which should be dictionaries.
    func friends(of group: Int) -> [Int] {
        guard let array = value(of: "friends", in: group), outline.isNamed(array, "array") else { return [] }
        return outline.children(of: array)
    }

    /// The fields of the group besides its friends. `mismatch`: a field with the wrong type.
    func head(
        of group: Int
    ) throws(PropertyListMismatch) -> (name: String?, online: Int?, mismatch: PropertyListMismatch?) {
        guard outline.isNamed(group, "dict") else { throw PropertyListMismatch(path: "", reason: "not a dictionary") }
        if let friends = value(of: "friends", in: group), !outline.isNamed(friends, "array") {
            throw PropertyListMismatch(path: "/friends", reason: "not an array")
        }
        var (name, online): (String?, Int?)
        // The friends are read even if other fields are invalid.
        do throws(PropertyListMismatch) {
            name = try whole("name", in: group)?.text("/name")
            online = try whole("online", in: group)?.integer("/online")
        } catch { return (name, online, error) }
        return (name, online, nil)
    }

    func contact(_ friend: Int, in group: ContactGroup?) throws(PropertyListMismatch) -> Contact {
        guard outline.isNamed(friend, "dict")
        else { throw PropertyListMismatch(path: "", reason: "not a dictionary") }
        let values = try PropertyListValue(outline: outline, element: friend).dictionary()
        var contact = Contact(id: "")
        contact.name.formatted = try values["name"]?.text("/name") ?? ""
        contact.introduction = try values["intro"]?.text("/intro").filled
        contact.photo = try values["icon"]?.text("/icon").filled.map { ContactPhoto(address: $0) }
        contact.isVIP = try values["vip"]?.flag("/vip") ?? false
        contact.isOnline = try values["online"]?.flag("/online")
        contact.chatLog = try values["chatLog"]?.texts("/chatLog") ?? []
        contact.groups = group.map { [$0] } ?? []
        return contact
    }

    /// Nil also if the text is truncated inside the value.
    private func whole(_ key: String, in dictionary: Int) -> PropertyListValue? {
        guard let element = value(of: key, in: dictionary), !outline.elements[element].isCut else { return nil }
        return PropertyListValue(outline: outline, element: element)
    }

    private func value(of key: String, in dictionary: Int) -> Int? {
        guard outline.isNamed(dictionary, "dict") else { return nil }
        var (found, next) = (nil as Int?, dictionary + 1)
        let end = outline.elements[dictionary].next
        // Keys and values alternate.
        while next < end {
            let value = outline.elements[next].next
            guard value < end else { break }
            if isKey(next, named: key) { found = value }
            next = outline.elements[value].next
        }
        return found
    }

    private func isKey(_ element: Int, named name: String) -> Bool {
        outline.isNamed(element, "key")
            && outline.text.bytes.elementsEqual(in: outline.elements[element].content, to: name.utf8)
    }
}

/// A value of the wrong type.
struct PropertyListMismatch: Error {
    /// From the dictionary on, as in JSON Pointers.
    var path: String
    var reason: String
}
