import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage

/// What `cache why` answers, for people: the verdict in one line, then what it rests on.
struct AnswerText {
    private let answer: CacheInquiry.Answer
    private let subject: String
    private let cache: AvatarCache
    private let now: Date

    init(_ answer: CacheInquiry.Answer, subject: String, cache: AvatarCache, now: Date) {
        (self.answer, self.subject, self.cache, self.now) = (answer, subject, cache, now)
    }

    var text: String {
        let style = answer.style
        let title = "\(subject), \(style.size)@\(style.scale)x \(style.state.rawValue): \(verdict)\n"
        var block = KeyValueBlock()
        block.add("  key", answer.key?.hexadecimal)
        block.add("  file", answer.key.map { cache.file(of: $0).string })
        for word in answer.recipe?.words ?? [] {
            block.add("  \(word.name)", word.value + Self.note(answer.nearest, word.name))
        }
        for difference in answer.nearest?.differences ?? [] where answer.recipe != nil && difference.wanted == nil {
            block.add("  \(difference.name)", "none" + Self.note(answer.nearest, difference.name))
        }
        if let entry = answer.entry {
            block.add("  contacts", entry.contacts.isEmpty ? "none" : entry.contacts.joined(separator: ", "))
            block.add("  created", moment(entry.created))
            block.add("  last used", moment(entry.used))
        }
        if let nearest = answer.nearest {
            block.add("  nearest entry", nearest.entry.key.hexadecimal)
            block.add("    created", moment(nearest.entry.created))
            block.add("    contacts", nearest.entry.contacts.joined(separator: ", "))
        }
        return Terminal.printable(title.dropLast().description) + "\n" + block.text
    }

    private var verdict: String {
        switch answer.verdict {
        case .hit: "hit"
        case .damaged(let reason): "damaged entry (\(reason)); it would be removed and drawn again"
        case .undrawable(let error): "cannot be drawn: \(error)"
        case .remembered(let failure): remembered(failure)
        case .miss: "miss: \(missReason)"
        }
    }

    private func remembered(_ failure: Failure) -> String {
        let until = failure.until.map { "until \(WallClock.local.text($0))" } ?? "until its bytes change"
        return
            "not drawn: it failed \(RelativeTime.text(failure.since, now: now)) (\(failure.stage), \(failure.reason)), "
            + "and is not tried again \(until)"
    }

    private var missReason: String {
        if let departure = answer.departure { return "it \(DepartureText.text(departure))" }
        guard let nearest = answer.nearest else {
            return answer.recipe == nil
                ? "the cache knows no photo of this contact" : "nothing of this photo or contact is in the cache"
        }
        let reasons = Self.reasons(nearest.differences)
        return reasons.isEmpty ? "the most similar entry is of another photo" : reasons.joined(separator: "; ")
    }

    /// A ring brings its colour and its room along.
    private static func reasons(_ differences: [NearestEntry.Difference]) -> [String] {
        let ring = differences.first { $0.name == "ring" }
        let isOnlyInOne = ring.map { $0.wanted == nil || $0.found == nil } ?? false
        return differences.filter { !isOnlyInOne || !["ring-color", "inset"].contains($0.name) }.map(reason)
    }

    /// What a difference means.
    private static func reason(_ difference: NearestEntry.Difference) -> String {
        let (wanted, found) = (difference.wanted ?? "none", difference.found ?? "none")
        return switch difference.name {
        case "photo": "other bytes: the photo in the cache is another one, or this one before it changed"
        case "renderer": "drawn by renderer \(found), this is \(wanted)"
        case "decode": "decoded at \(found) together with other sizes, now at \(wanted)"
        case "side": "\(found) pixels instead of \(wanted)"
        case "ring" where difference.wanted == nil: "without ring; the one in the cache has one of \(found) pixels"
        case "ring" where difference.found == nil: "with a ring of \(wanted) pixels; the one in the cache has none"
        case "ring": "other ring width: \(wanted) pixels wanted, \(found) in the cache"
        case "ring-color": "other ring colour: \(wanted) wanted, \(found) in the cache"
        case "inset": "other room for ring and gap: \(wanted) pixels wanted, \(found) in the cache"
        case "crop": "other crop: \(wanted) wanted, \(found) in the cache"
        default: "other \(difference.name): \(wanted) wanted, \(found) in the cache"
        }
    }

    private static func note(_ nearest: NearestEntry?, _ name: String) -> String {
        guard let difference = nearest?.differences.first(where: { $0.name == name }) else { return "" }
        return "   <- nearest entry: \(difference.found ?? "none")"
    }

    private func moment(_ date: Date) -> String {
        "\(WallClock.local.text(date)) (\(RelativeTime.text(date, now: now)))"
    }
}

/// The same for scripts.
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
    var recipe: [String: String]?
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
        recipe = answer.recipe.map {
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
                until: known.until?.iso, attempts: known.attempts)
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
