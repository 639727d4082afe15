package import FoundationEssentials
internal import SystemPackage

/// An entry as JSON: of `tondo cache ls`, `show` and `why`, `GET /v1/cache/entries/{key}` and `/v1/cache/why/{id}`.
package struct EntryReport: Codable, Equatable, Sendable {
    /// 64 lower-case hexadecimal digits.
    package var key: String
    /// The path of its file; not over HTTP.
    package var file: String?
    /// The text that the key is the SHA-256 of.
    package var recipe: String
    /// The digest of the photo as the recipe has it, such as `sha256:3bd9...`.
    package var photo: String
    /// The words of the recipe about the style, without those of the photo and the encoding.
    package var style: String
    /// `png` or `webp`.
    package var format: String
    /// Pixels.
    package var side: Int
    /// Bytes of the file, which has a trailer after the avatar.
    package var bytes: Int
    /// Milliseconds it took to draw.
    package var cost: Double
    /// When it was stored: ISO 8601 in UTC, with milliseconds.
    package var created: String
    /// The last use that the index has recorded, in the form of `created`.
    package var used: String
    /// Ids of contacts, or names of photos, in the order they were added.
    package var contacts: [String]
    /// What is wrong with its bytes, if they were checked and are damaged.
    package var damage: String?

    /// `cache`: names the file, nil leaves it out. `damage`: from `AvatarCache.damage(of:)`.
    package init(_ entry: Entry, in cache: AvatarCache?, damage: String? = nil) {
        key = entry.key.hexadecimal
        file = cache?.file(of: entry.key).string
        recipe = entry.recipe.text
        photo = entry.recipe.photo
        style = entry.recipe.style
        format = entry.format.rawValue
        side = entry.recipe.side
        bytes = entry.size
        cost = (entry.cost * 1000).rounded() / 1000
        created = entry.created.iso
        used = entry.used.iso
        contacts = entry.contacts
        self.damage = damage
    }
}

/// Why a photo gives no avatar, as JSON.
package struct FailureReport: Codable, Equatable, Sendable {
    /// `open`, or the stage of the renderer that failed: `probe`, `limits` or `decode`.
    package var stage: String
    /// Stable, for scripts.
    package var code: String
    /// For humans.
    package var message: String
    /// When the last attempt failed; absent without a negative entry.
    package var since: String?
    /// When the photo is retried; absent: not before its bytes change.
    package var until: String?
    /// Failed attempts so far; absent without a negative entry.
    package var attempts: Int?
    /// Bytes, if more memory might help.
    package var memoryLimit: Int?

    /// A failure of this moment, which no negative entry has recorded.
    package init(stage: String, code: String, message: String) {
        self.stage = stage
        self.code = code
        self.message = message
    }

    package init(_ failure: Failure) {
        self.init(stage: failure.stage, code: failure.code, message: failure.reason)
        since = failure.since.iso
        until = failure.until?.iso
        attempts = failure.attempts
        memoryLimit = failure.memoryLimit
    }
}

extension Date {
    /// `2026-11-20T13:00:00.123Z` (ISO 8601).
    package var iso: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
