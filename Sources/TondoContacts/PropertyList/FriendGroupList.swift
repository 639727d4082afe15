private import FoundationEssentials

/// An outline that is a list of friend groups. Each group and friend is decoded by itself, so that none spoils another.
struct FriendGroupList {
    let outline: XMLOutline
    /// Elements that should be dictionaries.
    let groups: [Int]

    /// Nil when the outline is of something else.
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

    /// What the group says besides its friends.
    func head(of group: Int) throws(PropertyListMismatch) -> GroupHead {
        guard outline.isNamed(group, "dict") else { throw PropertyListMismatch(path: "", reason: "not a dictionary") }
        if let friends = value(of: "friends", in: group), !outline.isNamed(friends, "array") {
            throw PropertyListMismatch(path: "/friends", reason: "not an array")
        }
        var rest: [UInt8] = []
        for (key, value) in pairs(of: group) where !isKey(key, "friends") && !outline.elements[value].isCut {
            rest += outline.text.bytes[outline.elements[key].range] + outline.text.bytes[outline.elements[value].range]
        }
        let dictionary = "<dict>\(outline.text.string(rest))</dict>"
        do throws(PropertyListMismatch) {
            return try decode(GroupHead.self, dictionary)
        } catch {
            // The friends are there, whatever else is wrong.
            let name = (try? decode(GroupName.self, dictionary))?.name
            return GroupHead(name: name, online: nil, mismatch: error)
        }
    }

    func friend(_ element: Int) throws(PropertyListMismatch) -> Friend {
        guard outline.isNamed(element, "dict") else { throw PropertyListMismatch(path: "", reason: "not a dictionary") }
        return try decode(Friend.self, outline.text.string(outline.elements[element].range))
    }

    private func value(of key: String, in dictionary: Int) -> Int? {
        guard outline.isNamed(dictionary, "dict") else { return nil }
        return pairs(of: dictionary).last { isKey($0.key, key) }?.value
    }

    private func pairs(of dictionary: Int) -> [(key: Int, value: Int)] {
        let children = outline.children(of: dictionary)
        return stride(from: 0, to: children.count - 1, by: 2).map { (children[$0], children[$0 + 1]) }
    }

    private func isKey(_ element: Int, _ name: String) -> Bool {
        let content = outline.text.bytes[outline.elements[element].content]
        return outline.isNamed(element, "key") && content.elementsEqual(name.utf8)
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ element: String
    ) throws(PropertyListMismatch) -> Value {
        let document = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(element)</plist>"
        do {
            return try PropertyListDecoder().decode(type, from: Data(document.utf8))
        } catch let error as DecodingError {
            throw PropertyListMismatch(error)
        } catch {
            throw PropertyListMismatch(path: "", reason: "not a property list")
        }
    }
}
