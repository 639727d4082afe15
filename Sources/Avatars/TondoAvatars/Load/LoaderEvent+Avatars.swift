internal import TondoCache
internal import TondoImage

/// What the loader reports of an avatar that was drawn or found.
extension PreparedAvatar {
    init(_ drawn: Avatar, kind: Kind, style: AvatarStyle, contact: String, at entryURL: EntryURL?) {
        self.contact = contact
        self.style = style.name
        key = drawn.key.hexadecimal
        self.kind = kind
        state = style.style.state == .selected ? .selected : .normal
        scale = style.style.scale
        source = drawn.source == .cache ? .cache : .rendered
        milliseconds = drawn.milliseconds
        url = drawn.isStored ? entryURL?.text(drawn.key, format: style.style.format) : nil
    }
}

extension FailedAvatar {
    init(_ failure: AvatarFailure, of contact: String, tally: AvatarTally) {
        self.contact = contact
        code = failure.code
        message = failure.message
        self.tally = tally
    }
}

/// The URLs of a cache's entries. The folder is encoded once, since a load reports thousands of entries.
struct EntryURL: Sendable {
    private let folder: String

    init(_ cache: AvatarCache) { folder = FileURL.text(of: cache.path) + "/" }

    func text(_ key: CacheKey, format: AvatarFormat) -> String {
        folder + AvatarCache.relativePath(of: key, format.entryFormat)
    }
}
