/// What is known about the photo of one URL. Pure: answers in, the time of the next request out.
package struct PhotoState: Codable, Equatable, Sendable {
    /// The end of one request.
    package enum Answer: Equatable, Sendable {
        /// 200 with a picture.
        case picture(Picture)
        /// 304: the picture is the one that is stored.
        case same
        /// 404 or 410.
        case gone
        case failed(String)
    }

    /// A stored picture.
    package struct Picture: Codable, Equatable, Sendable {
        /// SHA-256 of its bytes in hexadecimal digits.
        package var digest: String
        /// Recognised by the first bytes, whatever the server says.
        package var kind: PictureKind
        /// Bytes of the file.
        package var size: Int
        /// ETag and Last-Modified, as the server sent them.
        package var etag: String?
        /// As in Last-Modified, for `If-Modified-Since`; nil: the server sent none that can be sent back.
        package var modified: String?

        package init(digest: String, kind: PictureKind, size: Int, etag: String? = nil, modified: String? = nil) {
            self.digest = digest
            self.kind = kind
            self.size = size
            self.etag = etag
            self.modified = modified
        }
    }

    /// As the card has it.
    package let url: String
    /// Nil: there is none yet, or none any more.
    package private(set) var picture: Picture?
    /// The next request, in seconds since 1970, like all times here.
    package private(set) var due = 0
    /// In a row.
    package private(set) var failures = 0
    /// The first 404 since the last picture.
    package private(set) var missingSince: Int?
    /// The last day on which a card named it.
    package private(set) var used: Int
    /// Why the last request failed.
    package private(set) var problem: String?

    static let day = 86_400
    /// The first and the longest pause after failures.
    static let firstPause = 3_600
    static let longestPause = 7 * day
    /// How long the last picture stays after the server lost it, or no card names it.
    static let grace = 30 * day

    /// Due at once. `now`: counts as the last use.
    package init(url: String, now: Int) {
        self.url = url
        used = now
    }

    /// A clock that went back by more than the longest pause does not stop requests.
    package func isDue(_ now: Int) -> Bool { now >= due || due - now > Self.longestPause }

    /// No card has named it for so long that it may be forgotten.
    package func isUnused(_ now: Int) -> Bool { now - used > Self.grace }

    /// Once a day, so that the record does not change with each run.
    package mutating func use(_ now: Int) { if abs(now - used) >= Self.day { used = now } }

    /// Sets the time of the next request: a day after a success, an hour to a week after failures.
    package mutating func take(_ answer: Answer, now: Int) {
        switch answer {
        case .picture(let new):
            picture = new
            succeed(now)
        case .same: succeed(now)
        case .gone:
            missingSince = missingSince ?? now
            if let since = missingSince, now - since >= Self.grace { picture = nil }
            fail("the server has no such photo", at: now)
        case .failed(let reason): fail(reason, at: now)
        }
    }

    /// The stored file is lost or damaged: the next request takes it again.
    package mutating func lose() {
        picture = nil
        due = 0
    }

    private mutating func succeed(_ now: Int) {
        due = now + Self.day
        failures = 0
        missingSince = nil
        problem = nil
    }

    private mutating func fail(_ reason: String, at now: Int) {
        failures = min(failures + 1, 100)
        // Ten doublings are beyond the longest pause; more could overflow.
        due = now + min(Self.firstPause << min(failures - 1, 10), Self.longestPause)
        problem = reason
    }
}

extension PictureKind: Codable {}
