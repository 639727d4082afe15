private import Crypto
internal import Synchronization
package import TondoContacts
internal import TondoImage
package import TondoRender

/// The photos of contacts that have no usable one: their initials, as long as they can be drawn. Usable from any thread.
package final class InitialsPhotos: Sendable {
    private let rule: InitialsRule
    private let make: Make
    private let onUnavailable: @Sendable (String) -> Void
    private let isAvailable = Atomic<Bool>(true)
    private let isShortageReported = Atomic<Bool>(false)

    /// The photo with these letters. Throws if nothing can draw letters.
    package typealias Make = @Sendable (String, InitialsColors) throws(AvatarFailure) -> PhotoSource

    /// Contacts without a photo get the silhouette.
    package static let none = InitialsPhotos(.off) { _, _ in .silhouette }

    /// `fonts`: the digest of those that the letters are drawn with. `onUnavailable` is called once, with the reason, when
    /// it turns out that nothing can draw letters; from then on, contacts get the silhouette. It is also called for the first
    /// contact that gets one because no process could be started. It must not block.
    package convenience init(
        _ rule: InitialsRule, fonts: [UInt8], onUnavailable: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(rule, onUnavailable: onUnavailable) { letters, colors in
            .initials(InitialsDrawing(letters, colors, fonts: fonts))
        }
    }

    package init(
        _ rule: InitialsRule, onUnavailable: @escaping @Sendable (String) -> Void = { _ in }, make: @escaping Make
    ) { (self.rule, self.onUnavailable, self.make) = (rule, onUnavailable, make) }

    /// Nil: the contact gets the silhouette.
    package func photo(of contact: Contact) -> PhotoSource? {
        guard isAvailable.load(ordering: .relaxed), let letters = contact.initials(by: rule) else { return nil }
        return photo(letters, InitialsColors(rule, identity: contact.id, name: contact.displayName))
    }

    /// The initials of a name that is no contact's. `identity`: gives the colour.
    package func photo(named name: String, identity: String) -> PhotoSource? {
        var contact = Contact(id: identity)
        contact.name.formatted = name
        return photo(of: contact)
    }

    /// These letters, whatever the rule. `identity`: gives the colour.
    package func photo(letters: String, identity: String) -> PhotoSource? {
        guard rule != .off, isAvailable.load(ordering: .relaxed) else { return nil }
        return photo(letters, InitialsColors(rule, identity: identity, name: identity))
    }

    private func photo(_ letters: String, _ colors: InitialsColors) -> PhotoSource? {
        do { return try make(letters, colors) } catch {
            note(error)
            return nil
        }
    }

    /// Initials were not drawn, for this reason. One that holds until the next start ends them; a process that could not be
    /// started, as when the system is short of processes, may be startable for the next contact.
    package func note(_ failure: AvatarFailure) {
        if failure.isPermanent {
            if isAvailable.exchange(false, ordering: .relaxed) { onUnavailable(failure.message) }
        } else if failure.code == ImageError.noDecoder("").code {
            if !isShortageReported.exchange(true, ordering: .relaxed) { onUnavailable(failure.message) }
        }
    }
}

extension InitialsDrawing {
    fileprivate init(_ text: String, _ colors: InitialsColors, fonts: [UInt8]) {
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
    fileprivate var isPermanent: Bool { [ImageError.unsupported(""), .otherFonts].contains { $0.code == code } }
}

extension InitialsRule {
    /// The photos by this rule that these processes draw. `onUnavailable` gets the reason if none can, once a contact has
    /// letters to draw: the fonts are not looked for before.
    package func photos(
        by workers: RenderWorkers?, onUnavailable: @escaping @Sendable (String) -> Void
    ) -> InitialsPhotos {
        if self == .off { return .none }
        let fonts = InstalledFonts(workers)
        return InitialsPhotos(self, onUnavailable: onUnavailable) { letters, colors throws(AvatarFailure) in
            .initials(InitialsDrawing(letters, colors, fonts: try fonts.digest.get()))
        }
    }
}

/// The fonts that the processes which draw letters will find. Usable from any thread; blocks the first one, for a
/// millisecond.
private final class InstalledFonts: Sendable {
    private let workers: RenderWorkers?
    private let known = Mutex<Result<[UInt8], AvatarFailure>?>(nil)

    init(_ workers: RenderWorkers?) { self.workers = workers }

    /// SHA-256 of what identifies them, or why no letters can be drawn.
    var digest: Result<[UInt8], AvatarFailure> {
        known.withLock { known in
            let digest = known ?? find()
            known = digest
            return digest
        }
    }

    private func find() -> Result<[UInt8], AvatarFailure> {
        guard let workers else { return .failure(.withoutDecoder("letters are drawn in confined processes only")) }
        guard workers.isInstalled(.text) else {
            return .failure(.withoutDecoder("\(WorkerKind.text.program) is missing (install tondo-text)"))
        }
        let fonts = FontSet()
        if fonts.isEmpty { return .failure(.withoutDecoder("there is no font (install \(FontSet.packages))")) }
        return .success(Array(SHA256.hash(data: fonts.identity)))
    }
}
