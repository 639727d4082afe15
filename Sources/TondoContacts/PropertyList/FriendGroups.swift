internal import SystemPackage

/// Reads XML property lists of friend groups: an array of `{friends: [{icon, intro, name, vip}], name, online}`.
///
/// `online` of a group is the declared number of members online; `online` of a friend is its state. Groups with equal
/// names are different groups.
enum FriendGroups {
    /// A friend with a value of the wrong type is reported and skipped, the others are read; if the text is truncated,
    /// those before are read. `name`: the file's, for places and failures.
    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        let outline = try XMLOutline(SourceText(file), limits: book.limits)
        guard let list = FriendGroupList(outline) else {
            if let failure = outline.failure { throw .malformed(failure.reason) }
            throw .notABook
        }
        var reading = Reading(list: list, places: ContactLocator(outline.text, file: name), book: book)
        reading.read()
        book = reading.book
    }
}

/// One pass over a book.
private struct Reading {
    let list: FriendGroupList
    var places: ContactLocator
    var book: BookBuilder
    var identities = Identities()
    private var passed: ReadBytes

    init(list: FriendGroupList, places: ContactLocator, book: BookBuilder) {
        (self.list, self.places, self.book) = (list, places, book)
        passed = ReadBytes(list.outline.text.bytes)
    }

    mutating func read() {
        for (number, group) in list.groups.enumerated() {
            do throws(PropertyListMismatch) {
                try read(group, path: "/\(number)")
            } catch {
                note(error, group, path: "/\(number)")
            }
        }
        guard let failure = list.outline.failure else { return }
        book.add(places.failure(at: failure.offset, .malformed(failure.reason)))
    }

    private mutating func read(_ group: Int, path: String) throws(PropertyListMismatch) {
        let known = try self.group(group, path: path)
        for (number, friend) in list.friends(of: group).enumerated() where !list.outline.elements[friend].isCut {
            guard book.hasRoom() else { continue }
            let path = "\(path)/friends/\(number)"
            let range = list.outline.elements[friend].range
            do throws(PropertyListMismatch) {
                try append(list, friend, known, path: path)
            } catch {
                note(error, friend, path: path)
            }
            passed.passed(range.upperBound)
        }
    }

    /// Nil if the file is truncated before its name.
    private mutating func group(_ group: Int, path: String) throws(PropertyListMismatch) -> ContactGroup? {
        let head = try list.head(of: group)
        if let mismatch = head.mismatch { note(mismatch, group, path: path) }
        guard let name = head.name else { return nil }
        let known = ContactGroup(name, id: identities.unique(name), online: head.online)
        book.add(known)
        return known
    }

    private mutating func append(
        _ list: FriendGroupList, _ friend: Int, _ group: ContactGroup?, path: String
    ) throws(PropertyListMismatch) {
        let range = list.outline.elements[friend].range
        do throws(ContactsError) { try book.limits.check(.card, range.count) } catch {
            return book.add(places.failure(at: range.lowerBound, path: path, error))
        }
        var contact = Contact(try list.friend(friend), in: group)
        do throws(ContactsError) {
            if contact.isEmpty { throw .nothingInside }
            try book.limits.check(fieldsOf: contact, card: range)
        } catch {
            return book.add(places.failure(at: range.lowerBound, path: path, error))
        }
        contact.id = contact.derivedID
        contact.place = places.place(range)
        book.add(contact)
    }

    private mutating func note(_ mismatch: PropertyListMismatch, _ element: Int, path: String) {
        let offset = list.outline.elements[element].range.lowerBound
        book.add(places.failure(at: offset, path: path + mismatch.path, .malformed(mismatch.reason)))
    }
}

extension Contact {
    fileprivate init(_ friend: Friend, in group: ContactGroup?) {
        self.init(id: "")
        name.formatted = friend.name ?? ""
        introduction = friend.intro.flatMap { $0.isEmpty ? nil : $0 }
        isVIP = friend.isVIP ?? false
        isOnline = friend.isOnline
        chatLog = friend.chatLog ?? []
        photo = friend.icon.flatMap { $0.isEmpty ? nil : ContactPhoto(address: $0) }
        groups = group.map { [$0] } ?? []
    }
}
