internal import Synchronization
package import TondoContacts
internal import TondoDigest
internal import TondoImage
package import TondoRender

/// The photos of contacts that have no usable one: their initials, as long as they can be drawn. Usable from any thread.
package final class InitialsPhotos: Sendable {
    private struct State {
        /// Until then nothing can draw letters, as far as is known.
        var pause: ContinuousClock.Instant?
        /// The reason of the last pause.
        var reason: String?
        var isShortageReported = false
    }

    private let rule: InitialsRule
    private let make: Make
    private let onUnavailable: @Sendable (String) -> Void
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())
    /// Whether `state` has a pause: spares the lock for each contact.
    private let isPaused = Atomic<Bool>(false)

    /// The photo with these letters. Throws if nothing can draw letters.
    package typealias Make = @Sendable (String, InitialsColors) throws(AvatarFailure) -> PhotoSource

    /// What was missing may be installed meanwhile: the next contact after this time finds out.
    package static let pause = Duration.seconds(60)

    /// Contacts without a photo get the silhouette.
    package static let none = InitialsPhotos(rule: .off) { _, _ in .silhouette }

    /// `fonts`: the digest of those that the letters are drawn with. `onUnavailable` is called with the reason when it turns out
    /// that nothing can draw letters, and for the first contact that gets the silhouette because no process could be started;
    /// only once for the same reason, and once for all processes. After the former, contacts get the silhouette for a minute. It
    /// must not block.
    package convenience init(
        rule: InitialsRule, fonts: [UInt8], onUnavailable: @escaping @Sendable (String) -> Void = { _ in },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.init(rule: rule, onUnavailable: onUnavailable, now: now) { letters, colors in
            .initials(InitialsDrawing(letters, colors: colors, fonts: fonts))
        }
    }

    package init(
        rule: InitialsRule, onUnavailable: @escaping @Sendable (String) -> Void = { _ in },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, make: @escaping Make
    ) {
        self.rule = rule
        self.now = now
        self.onUnavailable = onUnavailable
        self.make = make
    }

    private var isAvailable: Bool {
        guard isPaused.load(ordering: .relaxed) else { return true }
        return state.withLock { state in
            if let pause = state.pause, now() < pause { return false }
            state.pause = nil
            isPaused.store(false, ordering: .relaxed)
            return true
        }
    }

    /// Nil: the contact gets the silhouette.
    package func photo(of contact: Contact) -> PhotoSource? {
        guard isAvailable, let letters = contact.initials(by: rule) else { return nil }
        return photo(of: letters, colors: InitialsColors(rule: rule, identity: contact.id, name: contact.displayName))
    }

    /// Whether the contact has initials, which may not be drawable now.
    func hasLetters(_ contact: Contact) -> Bool { contact.initials(by: rule) != nil }

    /// The initials of a name that is no contact's. `identity`: gives the colour.
    package func photo(named name: String, identity: String) -> PhotoSource? {
        var contact = Contact(id: identity)
        contact.name.formatted = name
        return photo(of: contact)
    }

    /// These letters, whatever the rule. `identity`: gives the colour.
    package func photo(letters: String, identity: String) -> PhotoSource? {
        guard rule != .off, isAvailable else { return nil }
        return photo(of: letters, colors: InitialsColors(rule: rule, identity: identity, name: identity))
    }

    private func photo(of letters: String, colors: InitialsColors) -> PhotoSource? {
        do { return try make(letters, colors) } catch {
            note(error)
            return nil
        }
    }

    /// Initials were not drawn, for this reason. One that holds for all contacts pauses them; a process that could not be
    /// started, as when the system is short of processes, may be startable for the next contact.
    package func note(_ failure: AvatarFailure) {
        let isNew = state.withLock { state in
            if failure.isForAll {
                state.pause = now() + Self.pause
                isPaused.store(true, ordering: .relaxed)
                defer { state.reason = failure.message }
                return state.reason != failure.message
            }
            guard failure.code == ImageError.noDecoder("").code else { return false }
            defer { state.isShortageReported = true }
            return !state.isShortageReported
        }
        if isNew { onUnavailable(failure.message) }
    }
}

extension InitialsDrawing {
    fileprivate init(_ text: String, colors: InitialsColors, fonts: [UInt8]) {
        self.init(
            text: text, background: colors.background, bottom: colors.bottom, foreground: colors.letters,
            isBold: colors.isBold, fonts: fonts)
    }
}

extension AvatarFailure {
    fileprivate static func withoutDecoder(_ reason: String) -> AvatarFailure {
        AvatarFailure(code: ImageError.unsupported("").code, message: reason)
    }

    /// The program or its fonts are missing, or changed.
    fileprivate var isForAll: Bool { [ImageError.unsupported(""), .otherFonts].contains { $0.code == code } }
}

extension InitialsRule {
    /// The photos by this rule that these processes draw. `onUnavailable` gets the reason if none can, when a contact has
    /// letters to draw: the fonts are not looked for before. They are looked for again once a minute while they are missing, or
    /// while a process found others.
    package func photos(
        by workers: RenderWorkers?, onUnavailable: @escaping @Sendable (String) -> Void
    ) -> InitialsPhotos {
        if self == .off { return .none }
        let fonts = InstalledFonts(workers: workers)
        return InitialsPhotos(rule: self, onUnavailable: onUnavailable) { letters, colors throws(AvatarFailure) in
            .initials(InitialsDrawing(letters, colors: colors, fonts: try fonts.digest()))
        }
    }
}

/// The fonts that the processes which draw letters will find. Usable from any thread; blocks, for a millisecond, the thread that
/// looks for them.
private final class InstalledFonts: Sendable {
    private struct Known {
        var digest: [UInt8]
        /// What processes found of them by then.
        var mismatches: Int
    }

    private let workers: RenderWorkers?
    private let known = Mutex<Known?>(nil)

    init(workers: RenderWorkers?) { self.workers = workers }

    /// SHA-256 of what identifies them, or why no letters can be drawn, which is not remembered.
    func digest() throws(AvatarFailure) -> [UInt8] {
        let mismatches = workers?.counters(of: .text).otherFonts ?? 0
        let found: Result<[UInt8], AvatarFailure> = known.withLock { known in
            // A process that was started after an update of the fonts has drawn nothing, and says so.
            if let known, known.mismatches == mismatches { return .success(known.digest) }
            let digest = find()
            known = (try? digest.get()).map { Known(digest: $0, mismatches: mismatches) }
            return digest
        }
        return try found.get()
    }

    private func find() -> Result<[UInt8], AvatarFailure> {
        guard let workers else { return .failure(.withoutDecoder("letters are drawn in confined processes only")) }
        if let problem = workers.initials.problem { return .failure(.withoutDecoder(problem)) }
        return .success(SHA256Digest(of: FontSet().identity).bytes)
    }
}
