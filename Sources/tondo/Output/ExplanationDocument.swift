import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage

/// The report of `cache why` for scripts.
struct ExplanationDocument: Encodable {
    struct Difference: Encodable {
        var name: String
        var wanted: String?
        var found: String?
    }

    struct Nearest: Encodable {
        var entry: EntryDocument
        var differences: [Difference]
    }

    struct Refusal: Encodable {
        var stage: String
        var code: String
        var message: String
        var since: String?
        var until: String?
        var attempts: Int?
        var memoryLimit: Int?
    }

    struct Removal: Encodable {
        var reason: String
        var date: String
    }

    var subject: String
    var size: Int
    var scale: Int
    var state: String
    var verdict: String
    var key: String?
    var file: String?
    var ingredients: [String: String]?
    var entry: EntryDocument?
    var damage: String?
    var failure: Refusal?
    var departure: Removal?
    var nearest: Nearest?

    init(_ explanation: CacheExplainer.Explanation, subject: String, in cache: AvatarCache) {
        self.subject = subject
        (size, scale, state) = (explanation.style.size, explanation.style.scale, explanation.style.state.rawValue)
        verdict = explanation.verdict.code
        key = explanation.key?.hexadecimal
        file = explanation.key.map { cache.file(of: $0).string }
        ingredients = explanation.recipe.map {
            Dictionary($0.words.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        entry = explanation.entry.map { EntryDocument($0, in: cache) }
        switch explanation.verdict {
        case .damaged(let reason): damage = reason
        case .undrawable(let error):
            failure = Refusal(stage: error.stage.rawValue, code: error.error.code, message: error.description)
        case .negativeEntry(let known):
            failure = Refusal(
                stage: known.stage, code: known.code, message: known.reason, since: known.since.iso,
                until: known.until?.iso, attempts: known.attempts,
                memoryLimit: known.memoryLimit)
        case .hit, .miss: break
        }
        departure = explanation.removalRecord.map { Removal(reason: $0.reason.rawValue, date: $0.date.iso) }
        nearest = explanation.nearest.map { nearest in
            Nearest(
                entry: EntryDocument(nearest.entry, in: cache),
                differences: nearest.differences.map { .init(name: $0.name, wanted: $0.wanted, found: $0.found) })
        }
    }
}
