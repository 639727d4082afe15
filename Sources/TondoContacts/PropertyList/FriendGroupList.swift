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

    /// The fields of the group besides its friends.
    func head(of group: Int) throws(PropertyListMismatch) -> GroupHead {
        guard outline.isNamed(group, "dict") else { throw PropertyListMismatch(path: "", reason: "not a dictionary") }
        if let friends = value(of: "friends", in: group), !outline.isNamed(friends, "array") {
            throw PropertyListMismatch(path: "/friends", reason: "not an array")
        }
        var head = GroupHead()
        // The friends are read even if other fields are invalid.
        do throws(PropertyListMismatch) {
            if let name = whole("name", in: group) { head.name = try name.text("/name") }
            if let online = whole("online", in: group) { head.online = try online.integer("/online") }
        } catch { head.mismatch = error }
        return head
    }

    func friend(_ element: Int) throws(PropertyListMismatch) -> Friend {
        guard outline.isNamed(element, "dict") else { throw PropertyListMismatch(path: "", reason: "not a dictionary") }
        let values = try PropertyListValue(outline, element).dictionary()
        var friend = Friend()
        friend.name = try values["name"]?.text("/name")
        friend.intro = try values["intro"]?.text("/intro")
        friend.icon = try values["icon"]?.text("/icon")
        friend.isVIP = try values["vip"]?.flag("/vip")
        friend.isOnline = try values["online"]?.flag("/online")
        friend.chatLog = try values["chatLog"]?.texts("/chatLog")
        return friend
    }

    /// Nil also if the text is truncated inside the value.
    private func whole(_ key: String, in dictionary: Int) -> PropertyListValue? {
        guard let element = value(of: key, in: dictionary), !outline.elements[element].isCut else { return nil }
        return PropertyListValue(outline, element)
    }

    private func value(of key: String, in dictionary: Int) -> Int? {
        guard outline.isNamed(dictionary, "dict") else { return nil }
        var (found, next) = (nil as Int?, dictionary + 1)
        let end = outline.elements[dictionary].next
        // Keys and values alternate.
        while next < end {
            let value = outline.elements[next].next
            guard value < end else { break }
            if isKey(next, key) { found = value }
            next = outline.elements[value].next
        }
        return found
    }

    private func isKey(_ element: Int, _ name: String) -> Bool {
        outline.isNamed(element, "key")
            && outline.text.bytes.elementsEqual(outline.elements[element].content, name.utf8)
    }
}
