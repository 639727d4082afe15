import FoundationEssentials
import TondoCache

extension Worker {
    /// Stores a picture, and now and then adds contacts, writes rows, notes failures, or lets go of everything.
    func write(_ chance: inout Chance) throws {
        let image = NumberedImage(chance.number(below: NumberedImage.count))
        set(image.date)
        switch chance.number(below: 16) {
        case 0: try cache.add(contacts: contacts(&chance), to: image.key)
        case 1: cache.flush()
        case 2:
            let subject = "photo=sha256:\(image.number) renderer=1"
            try cache.note(failureOf: subject, stage: "decode", code: "truncated", reason: "too short")
            if chance.once(in: 2) { cache.forgetFailure(of: subject) }
        case 3 where chance.once(in: 2): cache.close()
        default: return try store(image, &chance)
        }
        report(.worked)
    }

    private func store(_ image: NumberedImage, _ chance: inout Chance) throws {
        report(.storing, image.number)
        try cache.store(image.png, key: image.key, cost: 1, contacts: contacts(&chance))
        report(.stored, image.number)
    }

    func rebuild(_ chance: inout Chance) throws {
        _ = try cache.rebuildIndex()
        for _ in 0..<2 {
            let image = NumberedImage(chance.number(below: NumberedImage.count))
            set(image.date)
            try store(image, &chance)
            cache.flush()
        }
        report(.worked)
    }

    private func contacts(_ chance: inout Chance) -> [String] {
        NumberedImage.contacts.filter { _ in chance.once(in: 3) }
    }

    /// Removes entries by name, by age and by size, and now and then verifies, mends, or makes the index anew.
    func prune(_ chance: inout Chance) throws {
        // The higher half is removed by name only.
        let bound = chance.number(below: NumberedImage.count / 2)
        switch chance.number(below: 64) {
        case 0..<12:
            report(.removingBelow, bound)
            let now = NumberedImage.date(NumberedImage.count)
            set(now)
            _ = try cache.prune(maxAge: now.timeIntervalSince(NumberedImage.date(bound)))
            report(.removed)
        case 12..<24:
            report(.removingBelow, bound)
            _ = try cache.prune(maxSize: NumberedImage.maxSize(keepingFrom: bound))
            report(.removed)
        case 24: try verify(isRepairing: true)
        case 25: try verify(isRepairing: false)
        default: try remove(&chance)
        }
    }

    private func verify(isRepairing: Bool) throws {
        let verification = try cache.verify(isRepairing: isRepairing)
        if let problem = verification.problems.first(where: { $0.kind == .damaged || $0.kind == .foreign }) {
            stop(.damaged, 0, "\(problem)")
        }
        report(.worked)
    }

    func remove(_ chance: inout Chance) throws {
        if chance.once(in: 24) {
            _ = try cache.rebuildIndex()
            return report(.worked)
        }
        let image = NumberedImage(chance.number(below: NumberedImage.count))
        report(.removing, image.number)
        try cache.remove(image.key)
        report(.removed)
    }

    /// Reads pictures, and now and then asks the index.
    func read(_ chance: inout Chance) throws {
        let image = NumberedImage(chance.number(below: NumberedImage.count))
        switch chance.number(below: 32) {
        case 0:
            _ = try cache.statistics()
            report(.worked)
        case 1:
            var query = EntryQuery()
            query.contact = NumberedImage.contacts.randomElement(using: &chance)
            query.limit = 20
            for entry in try cache.entries(query) where entry.size > NumberedImage.largestFile {
                stop(.wrongBytes, 0, "\(entry.key): \(entry.size) bytes, more than any entry has")
            }
            report(.worked)
        default:
            guard let hit = cache.lookup(image.key), let avatar = try cache.read(hit) else {
                return report(.missed, image.number)
            }
            if avatar.bytes != image.png {
                stop(.wrongBytes, image.number, "\(image.key): wrong bytes were read")
            }
            report(.read, image.number)
        }
    }
}
