package import SystemPackage

/// Reads XML property lists of friend groups: an array of `{friends: [{icon, intro, name, vip}], name, online}`.
///
/// `online` is how many of the group the file says are online; a friend's own `online` says whether it is. Groups of
/// equal names are different groups.
package enum FriendGroups {
    /// A friend with a value of the wrong type is reported and left out, the others are there; where the text breaks
    /// off, those before are. `name`: the file's, for places and failures.
    package static func read(_ file: [UInt8], name: FilePath) throws(ContactsError) -> BookContents {
        let outline = try XMLOutline(SourceText(file))
        guard let list = FriendGroupList(outline) else {
            if let failure = outline.failure { throw .malformed(failure.reason) }
            throw .notABook
        }
        var reading = Reading(list: list, places: PlaceFinder(outline.text, file: name))
        reading.read()
        return reading.contents
    }
}

/// One pass over a book.
private struct Reading {
    let list: FriendGroupList
    var places: PlaceFinder
    var contents = BookContents()
    var identities = Identities()

    init(list: FriendGroupList, places: PlaceFinder) {
        (self.list, self.places) = (list, places)
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
        contents.failures.append(places.failure(at: failure.offset, .malformed(failure.reason)))
    }

    private mutating func read(_ group: Int, path: String) throws(PropertyListMismatch) {
        let known = try self.group(group, path: path)
        for (number, friend) in list.friends(of: group).enumerated() where !list.outline.elements[friend].isCut {
            let path = "\(path)/friends/\(number)"
            do throws(PropertyListMismatch) {
                append(Contact(try list.friend(friend), in: known), friend, path: path)
            } catch {
                note(error, friend, path: path)
            }
        }
    }

    /// Nil when the file does not get as far as its name.
    private mutating func group(_ group: Int, path: String) throws(PropertyListMismatch) -> ContactGroup? {
        let head = try list.head(of: group)
        if let mismatch = head.mismatch { note(mismatch, group, path: path) }
        guard let name = head.name else { return nil }
        let known = ContactGroup(name, id: identities.unique(name), online: head.online)
        contents.groups.append(known)
        return known
    }

    private mutating func append(_ contact: Contact, _ friend: Int, path: String) {
        var contact = contact
        let range = list.outline.elements[friend].range
        guard !contact.isEmpty else {
            contents.failures.append(places.failure(at: range.lowerBound, path: path, .nothingInside))
            return
        }
        contact.id = contact.derivedID
        contact.place = places.place(range)
        contents.contacts.append(contact)
    }

    private mutating func note(_ mismatch: PropertyListMismatch, _ element: Int, path: String) {
        let offset = list.outline.elements[element].range.lowerBound
        contents.failures.append(places.failure(at: offset, path: path + mismatch.path, .malformed(mismatch.reason)))
    }
}

extension Contact {
    fileprivate init(_ friend: Friend, in group: ContactGroup?) {
        self.init(id: "")
        name.formatted = friend.name ?? ""
        introduction = friend.intro.flatMap { $0.isEmpty ? nil : $0 }
        isVIP = friend.vip?.isOn ?? false
        isOnline = friend.online?.isOn
        chatLog = friend.chatLog ?? []
        photo = friend.icon.flatMap { $0.isEmpty ? nil : ContactPhoto(address: $0) }
        groups = group.map { [$0] } ?? []
    }
}
