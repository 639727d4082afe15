internal import SystemPackage
internal import TondoText

/// Reads XML property lists of friend groups: an array of `{friends: [{icon, intro, name, vip}], name, online}`.
///
/// `online` of a group is the declared number of members online; `online` of a friend is its state. Groups with equal
/// names are different groups.
enum FriendGroups {
    /// A friend with a value of the wrong type is reported and skipped, the others are read; if the text is truncated,
    /// those before are read. `name`: the file's, for places and failures.
    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        let text = SourceText(file)
        let outline = try XMLOutline(text, limits: book.limits)
        guard let list = FriendGroupList(outline) else {
            if let failure = outline.failure { throw .malformed(failure.reason) }
            throw .notABook
        }
        var reading = Reading(list: list, pass: BookPass(text: text, file: name, book: book))
        reading.read()
        if let failure = outline.failure { reading.pass.fail(.malformed(failure.reason), at: failure.offset) }
        book = reading.pass.book
    }

    private struct Reading {
        let list: FriendGroupList
        var pass: BookPass
        var identities = Identities()

        mutating func read() {
            for (number, group) in list.groups.enumerated() {
                do throws(PropertyListMismatch) {
                    try read(group, path: "/\(number)")
                } catch { note(error, at: group, path: "/\(number)") }
            }
        }

        private mutating func read(_ group: Int, path: String) throws(PropertyListMismatch) {
            let known = try self.group(group, path: path)
            for (number, friend) in list.friends(of: group).enumerated() where !list.outline.elements[friend].isCut {
                guard pass.book.hasRoom() else { continue }
                let path = "\(path)/friends/\(number)"
                pass.add(list.outline.elements[friend].range, path: path) { _ throws(BookPass.Defect) in
                    do throws(PropertyListMismatch) { return try list.contact(friend, in: known) } catch {
                        throw .init(reason: error.reason, path: path + error.path)
                    }
                }
            }
        }

        /// Nil if the file is truncated before its name.
        private mutating func group(_ group: Int, path: String) throws(PropertyListMismatch) -> ContactGroup? {
            let head = try list.head(of: group)
            if let mismatch = head.mismatch { note(mismatch, at: group, path: path) }
            guard let name = head.name else { return nil }
            let known = ContactGroup(name, id: identities.unique(name), online: head.online)
            pass.book.add(known)
            return known
        }

        private mutating func note(_ mismatch: PropertyListMismatch, at element: Int, path: String) {
            let offset = list.outline.elements[element].range.lowerBound
            pass.fail(.malformed(mismatch.reason), at: offset, path: path + mismatch.path)
        }
    }
}
