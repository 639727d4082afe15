import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage
import TondoText

/// The report of `cache why` for humans: the verdict in one line, the reason, then the details.
struct ExplanationText {
    private let explanation: CacheExplainer.Explanation
    private let subject: String
    private let cache: AvatarCache
    private let now: Date

    init(explanation: CacheExplainer.Explanation, subject: String, cache: AvatarCache, now: Date) {
        self.explanation = explanation
        self.subject = subject
        self.cache = cache
        self.now = now
    }

    /// `width`: cells per line, nil for no limit. `paint`: of the verdict.
    func text(width: Int?, paint: Paint = .none) -> String {
        let style = explanation.style
        var block = KeyValueBlock()
        block.add("  because", values: reasons)
        block.add("  key", value: explanation.key?.hexadecimal)
        block.add("  file", value: explanation.file(in: cache)?.string)
        addIngredients(to: &block)
        if let crop = explanation.crop { block.add("  shows", values: CropText.lines(of: crop)) }
        if let entry = explanation.entry { add(entry, to: &block, indent: "  ") }
        if let nearest = explanation.nearest {
            block.add("  nearest", value: nearest.entry.key.hexadecimal)
            if nearest.differences.contains(where: { $0.name == "photo" }) || explanation.recipe == nil {
                block.add("    photo", value: nearest.entry.recipe.photo)
            }
            add(nearest.entry, to: &block, indent: "    ")
        }
        let title = Terminal.printable("\(subject), \(style.size)@\(style.scale)x \(style.state.rawValue): ")
        return title + paint(verdict, tone) + "\n" + block.text(width: width)
    }

    private var tone: Paint.Tone {
        switch explanation.verdict {
        case .hit, .shared: .good
        case .miss: .poor
        case .damaged, .undrawable, .unopenable, .negativeEntry: .bad
        }
    }

    private var verdict: String {
        switch explanation.verdict {
        case .hit: "hit"
        case .shared: "in the shared tier"
        case .damaged: "damaged"
        case .undrawable, .unopenable: "cannot be drawn"
        case .negativeEntry: "failed before, not retried"
        case .miss: "miss"
        }
    }

    private var reasons: [String] {
        switch explanation.verdict {
        case .hit: []
        case .shared: ["not in the cache; the next request takes it from the shared tier"]
        case .damaged(let reason): ["\(reason); the next request removes the entry and draws it again"]
        case .undrawable(let error): ["\(error)"]
        case .unopenable(let code): ["the photo cannot be opened: \(code)"]
        case .negativeEntry(let failure): reasons(failure)
        case .miss: missReasons
        }
    }

    private func reasons(_ failure: Failure) -> [String] {
        let attempts = failure.attempts == 1 ? "" : ", the last of \(failure.attempts) attempts"
        let more = failure.memoryLimit.map { ", or with a memory limit above \(ByteAmount.text($0))" } ?? ""
        let until = failure.until.map { "from \(Moment.text($0, now: now)) on" } ?? "when its bytes change"
        return [
            "\(failure.stage): \(failure.reason)", "failed \(Moment.text(failure.since, now: now))\(attempts)",
            "retried \(until)\(more)",
        ]
    }

    private var missReasons: [String] {
        if let removalRecord = explanation.removalRecord { return ["it \(RemovalRecordText.text(of: removalRecord))"] }
        if explanation.entry != nil { return ["its file is missing; only the index still lists it"] }
        guard let nearest = explanation.nearest else {
            return explanation.recipe == nil
                ? ["the cache has no photo of this contact, and there is no such file; --book names a book to look in"]
                : ["the cache has no entry of this photo or contact"]
        }
        let reasons = DifferenceText.lines(of: nearest.differences)
        return reasons.isEmpty ? ["this style of the contact's latest photo is not in the cache"] : reasons
    }

    /// In the order of the recipe; words that only the nearest entry has come last.
    private func addIngredients(to block: inout KeyValueBlock) {
        guard let recipe = explanation.recipe else { return }
        let differences = explanation.nearest?.differences ?? []
        func note(_ name: String) -> String {
            guard let difference = differences.first(where: { $0.name == name }) else { return "" }
            return "   <- nearest: " + (name == "photo" ? "another photo" : difference.found ?? "none")
        }
        for word in recipe.words {
            let value = word.name == "initials" ? recipe.letters ?? word.value : word.value
            block.add("  \(word.name)", value: value + note(word.name))
        }
        for difference in differences where difference.wanted == nil {
            block.add("  \(difference.name)", value: "none" + note(difference.name))
        }
    }

    private func add(_ entry: Entry, to block: inout KeyValueBlock, indent: String) {
        block.add(indent + "contacts", value: entry.contacts.isEmpty ? "none" : entry.contacts.joined(separator: ", "))
        block.add(indent + "created", value: Moment.text(entry.created, now: now))
        block.add(indent + "last used", value: Moment.text(entry.used, now: now))
    }
}
