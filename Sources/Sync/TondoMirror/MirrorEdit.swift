package import SystemPackage
internal import TondoFiles

/// A card of a mirror that another program than `tondo sync` may change: the change is made at the server, too, see
/// `PendingChanges`.
package struct MirrorEdit: Sendable {
    /// The source's name of the card.
    package let id: String
    private let layout: MirrorLayout
    private let file: String
    private let account: String
    /// The version of a card at the source.
    private let version: (digest: FileDigest, etag: String)?

    /// Nil: the server is not written to, or the card is none of the mirror's. `file`: absolute, without links; `item`: what the
    /// card was at the source, for one that was removed there. `states`: for many cards of one mirror.
    package init?(
        _ layout: MirrorLayout, of file: FilePath, item: String? = nil, states: MirrorStates = MirrorStates()
    ) {
        var name = file
        guard let entry = states.entry(of: layout), name.removePrefix(layout.cards) else { return nil }
        let state = entry.state
        self.layout = layout
        self.file = name.string
        account = state.account
        let text = name.string
        if let id = entry.ids[text], let member = state.members[id] {
            self.id = id
            version = (member.digest, member.version)
        } else if let id = Self.former(item, file: text, layout), state.members[id] == nil {
            self.id = id
            version = nil
        } else {
            return nil
        }
        guard state.isWritable(id) else { return nil }
    }

    /// The source's name of a card that is none of the mirror's now. `item`: what it was when it was removed.
    private static func former(_ item: String?, file: String, _ layout: MirrorLayout) -> String? {
        let changes = PendingChanges(layout)
        if let item, changes.change(of: item).map({ $0.file == file }) ?? false { return item }
        return changes.note(ofFile: file)?.id ?? item
    }

    /// Changes the card, by `body`, and has the change sent by the next run. `before`, `after`: all bytes of the file; nil: it
    /// does not exist. `name`: the contact's. Throws what `body` does, or a `FileError` or an `Errno`; nothing was changed then.
    package func change(from before: [UInt8]?, to after: [UInt8]?, name: String, body: () throws -> Void) throws {
        let etag = version.flatMap { version in
            before.map { FileDigest($0) } == version.digest ? version.etag : nil
        }
        let change = PendingChange(
            id: id, account: account, file: file, name: name, etag: etag ?? "", before: before, after: after)
        try PendingChanges(layout).add(change, current: before, body: body)
    }
}

extension MirrorState {
    /// The server and the user that the names of members belong to.
    package var account: String { Self.account(source: attributes["source"] ?? "", user: attributes["user"] ?? "") }

    /// The account of a source, as text.
    package static func account(source: String, user: String) -> String { "\(source) \(user)" }

    /// Whether changes of an item are sent to the source. A run of `tondo sync` decides it for each address book: by the setting
    /// `writable`, and by what the server permits.
    package func isWritable(_ id: String) -> Bool {
        attributes.contains { key, value in
            value == Self.yes && key.hasPrefix(Self.writable) && id.hasPrefix(key.dropFirst(Self.writable.count))
        }
    }

    /// The beginning of the name of an attribute; the rest is the beginning of the names of items.
    package static let writable = "writable "
    /// Its value; any other is no.
    package static let yes = "yes"
}
