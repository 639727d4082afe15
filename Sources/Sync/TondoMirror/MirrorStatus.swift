internal import FoundationEssentials
internal import SystemPackage
internal import TondoDigest
internal import TondoFiles
internal import TondoText

/// The last run of a mirror, as its file `status.json` and `tondo sync status --json` hold it. `tondo serve` reads it for
/// `/readyz`, `tondo status` and its metrics; it lies outside of the book, so that no watcher wakes.
package struct MirrorStatus: Codable, Equatable, Sendable {
    /// That of a `SyncSource`, such as `carddav`.
    package var kind: String
    /// Seconds since 1970; absent: no run succeeded yet.
    package var lastSuccess: Int?
    /// When the last run was, successful or not.
    package var lastRun: Int
    /// Absent after a success.
    package var error: Failure?
    /// Runs in a row that failed.
    package var failures: Int
    /// Seconds since 1970: an automatic run before does nothing.
    package var notBefore: Int?
    /// A part of a digest of the settings that the last run had; nil in records of before.
    package var settings: String?
    /// Cards in the mirror.
    package var contacts: Int
    /// Cards that the last run added; for `photos`, pictures that it fetched.
    package var added: Int
    /// Cards whose stored bytes the last run changed, also when only their photos changed.
    package var changed: Int
    /// Cards that the last run moved to the trash because the source deleted them.
    package var removed: Int
    /// Deletions that wait for a second run.
    package var withheld: Int
    /// Cards that the source lists and that could not be fetched or read; the mirror keeps their last version.
    package var failed: Int
    /// The first of them.
    package var missing: [MissingCard]?
    /// What other programs did in the mirror's folder; absent: nothing.
    package var foreign: ForeignFiles?
    /// The state was lost or damaged before the last run, which made it again.
    package var recovered: MirrorFolder.Recovery?
    /// Changes that were made in the mirror, and that the last run made at the server; absent: none.
    package var sent: Int?
    /// Changes of `sent` whose photos were made smaller before the server took them, those of `Change.most` cards; absent: none.
    package var fitted: [Change]?
    /// Changes that the server does not have yet, those of `Change.most` cards; absent: none.
    package var waiting: [Change]?
    /// Changes that were given up within `Change.period`; absent: none.
    package var refused: [Change]?
    /// HTTP requests of the last run to a CardDAV server; zero for other kinds.
    package var requests: Int
    /// The duration of the last run, with all waiting for the server.
    package var milliseconds: Int

    /// Why the last run failed: a word for programs, and a sentence for people.
    package struct Failure: Codable, Equatable, Sendable {
        /// A word for programs, such as `tls-failed`, see `SyncError.code`.
        package var code: String
        /// One line in English, which holds no secret.
        package var message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// A card that the source lists, and that is not in the mirror, or not in this version.
    package struct MissingCard: Codable, Equatable, Sendable {
        /// So many are named.
        package static let most = 20

        /// Its path on the server.
        package var card: String
        /// The word of a `CardFailure`, such as `not-found`.
        package var code: String
        /// A part of a sentence, for the parentheses of a report.
        package var reason: String

        package init(card: String, code: String, reason: String) {
            self.card = card
            self.code = code
            self.reason = reason
        }

        /// For a line of text.
        package var text: String {
            let name = card.split(separator: "/").last.map { PercentEncoding.decode(String($0)) }
            return "\(name ?? card) (\(reason))"
        }
    }

    /// A change that was made in the mirror, and that its server does not have.
    package struct Change: Codable, Equatable, Sendable {
        /// So many are named.
        package static let most = 20
        /// As long as the trash keeps what the change made. Seconds.
        package static let period = 30 * 86_400

        /// The contact's.
        package var name: String
        /// A word for programs, such as `conflict`.
        package var code: String
        /// A part of a sentence, behind the name.
        package var reason: String
        /// When it was given up; seconds since 1970.
        package var time: Int?
        /// The name of the card at the source; nil in records of before.
        package var id: String?
        /// What the change made is in the trash; false: there is nothing to keep of a contact that was to be removed.
        package var isKept: Bool?

        package init(
            name: String, code: String, reason: String, time: Int? = nil, id: String? = nil, isKept: Bool? = nil
        ) {
            self.id = id
            self.isKept = isKept
            self.name = name
            self.code = code
            self.reason = reason
            self.time = time
        }
    }

    /// The last run got everything that its source lists.
    package var isComplete: Bool { error == nil && (failed == 0 || kind == SyncSource.Kind.photos.rawValue) }

    /// A mirror that has not run yet: all counts are zero.
    package init(kind: String, lastRun: Int) {
        self.kind = kind
        self.lastRun = lastRun
        failures = 0
        contacts = 0
        added = 0
        changed = 0
        removed = 0
        withheld = 0
        failed = 0
        requests = 0
        milliseconds = 0
    }

    /// Under one name the configuration may have another source by now, or other settings of it: its back-off says nothing about them.
    /// Neither does what failed at a source of another kind; `lastSuccess` stays, because the mirror still has the cards of that run.
    package mutating func change(to source: SyncSource) {
        let new = (try? JSONReport.encode(source)).map { String(SHA256Digest(of: $0).hexadecimal.prefix(8)) }
        if settings != new {
            failures = 0
            notBefore = nil
        }
        settings = new
        if kind == source.kind.rawValue { return }
        kind = source.kind.rawValue
        failed = 0
        missing = nil
        error = nil
    }

    /// Forgets what the last run did; the counts of a run that fails are those until then.
    package mutating func begin(_ now: Int) {
        lastRun = now
        added = 0
        changed = 0
        removed = 0
        withheld = 0
        requests = 0
        milliseconds = 0
        foreign = nil
        recovered = nil
        sent = nil
        fitted = nil
        waiting = nil
        // The report of a change that was given up is not over with the run.
        let recent = (refused ?? []).filter { now - ($0.time ?? 0) < Change.period }.suffix(Change.most)
        refused = recent.isEmpty ? nil : Array(recent)
    }

    /// Ends the back-off. `now`: seconds since 1970.
    package mutating func succeed(_ now: Int) {
        lastSuccess = now
        error = nil
        failures = 0
        notBefore = nil
    }

    /// `wait`: seconds until the next automatic run.
    package mutating func fail(_ failure: Failure, at now: Int, wait: Int) {
        error = failure
        notBefore = wait > 0 ? now + wait : nil
    }

    /// Nil if the mirror was never synchronised.
    package static func read(_ layout: MirrorLayout) -> MirrorStatus? {
        guard let bytes = try? MirrorFile.read(layout.status) else { return nil }
        return try? JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    /// Replaces the file, by the process that has the mirror's lock. It is not flushed: after a power cut the last run
    /// seems older.
    package func write(_ layout: MirrorLayout) throws(MirrorError) {
        try MirrorError.converting(.write, at: layout.status) {
            let bytes = try JSONReport.encode(self) + [UInt8(ascii: "\n")]
            try AtomicFile.write(to: layout.status, temporaries: layout.temporary) { _ = try $0.writeAll(bytes) }
        }
    }

    /// Seconds since the last success.
    package func age(now: Int) -> Int? { lastSuccess.map { max(now - $0, 0) } }
}
