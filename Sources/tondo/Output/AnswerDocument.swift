import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage

/// The report of `cache why` for scripts.
struct AnswerDocument: Encodable {
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

    struct Gone: Encodable {
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
    var departure: Gone?
    var nearest: Nearest?

    init(_ answer: CacheInquiry.Answer, subject: String, in cache: AvatarCache) {
        self.subject = subject
        (size, scale, state) = (answer.style.size, answer.style.scale, answer.style.state.rawValue)
        verdict = answer.verdict.code
        key = answer.key?.hexadecimal
        file = answer.key.map { cache.file(of: $0).string }
        ingredients = answer.recipe.map {
            Dictionary($0.words.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        entry = answer.entry.map { EntryDocument($0, in: cache) }
        switch answer.verdict {
        case .damaged(let reason): damage = reason
        case .undrawable(let error):
            failure = Refusal(stage: error.stage.rawValue, code: error.error.code, message: error.description)
        case .remembered(let known):
            failure = Refusal(
                stage: known.stage, code: known.code, message: known.reason, since: known.since.iso,
                until: known.until?.iso, attempts: known.attempts,
                memoryLimit: known.memoryLimit)
        case .hit, .miss: break
        }
        departure = answer.departure.map { Gone(reason: $0.reason.rawValue, date: $0.date.iso) }
        nearest = answer.nearest.map { nearest in
            Nearest(
                entry: EntryDocument(nearest.entry, in: cache),
                differences: nearest.differences.map { .init(name: $0.name, wanted: $0.wanted, found: $0.found) })
        }
    }
}
