package import FoundationEssentials
internal import SystemPackage

/// An entry as JSON: of `tondo cache ls`, `show` and `why`, `GET /v1/cache/entries/{key}` and `/v1/cache/why/{id}`.
package struct EntryReport: Codable, Equatable, Sendable {
    package var key: String
    /// The path of its file; not over HTTP.
    package var file: String?
    package var recipe: String
    package var photo: String
    package var style: String
    /// `png` or `webp`.
    package var format: String
    /// Pixels.
    package var side: Int
    package var bytes: Int
    /// Milliseconds it took to draw.
    package var cost: Double
    package var created: String
    package var used: String
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
    package var stage: String
    package var code: String
    package var message: String
    /// For a negative entry: since when, until when (nil: until the photo's bytes change) and after how many attempts.
    package var since: String?
    package var until: String?
    package var attempts: Int?
    /// Bytes, if more memory might help.
    package var memoryLimit: Int?

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
