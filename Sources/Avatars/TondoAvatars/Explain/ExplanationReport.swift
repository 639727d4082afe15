internal import FoundationEssentials
internal import SystemPackage
package import TondoCache
package import TondoImage

/// An explanation as JSON: of `tondo cache why --json` and `GET /v1/cache/why/{id}`.
package struct ExplanationReport: Codable, Equatable, Sendable {
    /// `hit`, `shared` (in the shared tier), `damaged`, `failed` (a negative entry), `undrawable` or `miss`.
    package var verdict: String
    package var reason: String?
    /// The photo or the contact.
    package var subject: String
    package var size: Int
    package var scale: Int
    package var state: String
    package var key: String?
    /// The path of the entry's file, existing or not; not over HTTP.
    package var file: String?
    package var recipe: String?
    /// The letters, if the avatar shows initials.
    package var initials: String?
    package var entry: EntryReport?
    /// The part of the photo that a hit shows, if that is known.
    package var crop: CropReport?
    package var failure: FailureReport?
    /// Why and when the entry was removed, if it existed.
    package var departed: String?
    package var departedAt: String?
    /// The most similar entry, for a miss, and what differs in its recipe.
    package var nearest: EntryReport?
    package var differences: [NearestEntry.Difference]?

    /// Explains the avatar of a contact without a photo.
    package init(_ style: Style, withoutPhoto subject: String) {
        self.init(explanation: CacheExplainer.Explanation(style: style, verdict: .miss), subject: subject, in: nil)
        reason = "there is no photo"
    }

    /// `cache`: names the files, nil leaves them out.
    package init(explanation: CacheExplainer.Explanation, subject: String, in cache: AvatarCache?) {
        verdict = "miss"
        self.subject = subject
        size = explanation.style.size
        scale = explanation.style.scale
        state = explanation.style.state.rawValue
        key = explanation.key?.hexadecimal
        recipe = explanation.recipe?.text
        initials = explanation.recipe?.letters
        file = cache.flatMap { explanation.file(in: $0)?.string }
        entry = explanation.entry.map { EntryReport($0, in: cache) }
        crop = explanation.crop
        departed = explanation.removalRecord?.reason.rawValue
        departedAt = explanation.removalRecord?.date.iso
        nearest = explanation.nearest.map { EntryReport($0.entry, in: cache) }
        differences = explanation.nearest?.differences
        take(explanation.verdict)
    }

    private mutating func take(_ result: CacheExplainer.Verdict) {
        switch result {
        case .hit: verdict = "hit"
        case .shared:
            verdict = "shared"
            reason = "in the shared tier"
        case .damaged(let damage):
            verdict = "damaged"
            reason = damage
        case .negativeEntry(let known):
            verdict = "failed"
            reason = known.reason
            failure = FailureReport(known)
        case .undrawable(let error):
            verdict = "undrawable"
            reason = error.description
            failure = FailureReport(stage: error.stage.rawValue, code: error.error.code, message: error.description)
        case .unopenable(let code):
            verdict = "undrawable"
            reason = "the photo cannot be opened"
            failure = FailureReport(stage: "open", code: code, message: "the photo cannot be opened")
        case .miss: break
        }
    }
}
