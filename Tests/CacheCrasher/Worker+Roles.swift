import FoundationEssentials
import TondoCache

extension Worker {
    /// Stores a picture, and now and then adds contacts, writes rows, notes failures, or lets go of everything.
    func write(_ chance: inout Chance) throws {
        let picture = NumberedPicture(chance.number(below: NumberedPicture.count))
        set(picture.date)
        switch chance.number(below: 16) {
        case 0: try cache.add(contacts: contacts(&chance), to: picture.key)
        case 1: cache.flush()
        case 2:
            let subject = "photo=sha256:\(picture.number) renderer=1"
            try cache.note(failureOf: subject, stage: "decode", code: "truncated", reason: "too short")
            if chance.once(in: 2) { cache.forgetFailure(of: subject) }
        case 3 where chance.once(in: 2): cache.close()
        default: return try store(picture, &chance)
        }
        tell(.worked)
    }

    private func store(_ picture: NumberedPicture, _ chance: inout Chance) throws {
        tell(.storing, picture.number)
        try cache.store(picture.png, key: picture.key, cost: 1, contacts: contacts(&chance))
        tell(.stored, picture.number)
    }

    func rebuild(_ chance: inout Chance) throws {
        _ = try cache.rebuildIndex()
        for _ in 0..<2 {
            let picture = NumberedPicture(chance.number(below: NumberedPicture.count))
            set(picture.date)
            try store(picture, &chance)
            cache.flush()
        }
        tell(.worked)
    }

    private func contacts(_ chance: inout Chance) -> [String] {
        NumberedPicture.contacts.filter { _ in chance.once(in: 3) }
    }

    /// Removes entries by name, by age and by size, and now and then verifies, mends, or makes the index anew.
    func prune(_ chance: inout Chance) throws {
        // The higher half is removed by name only.
        let bound = chance.number(below: NumberedPicture.count / 2)
        switch chance.number(below: 64) {
        case 0..<12:
            tell(.removingBelow, bound)
            let now = NumberedPicture.date(NumberedPicture.count)
            set(now)
            _ = try cache.prune(maxAge: now.timeIntervalSince(NumberedPicture.date(bound)))
            tell(.removed)
        case 12..<24:
            tell(.removingBelow, bound)
            _ = try cache.prune(maxSize: NumberedPicture.maxSize(keepingFrom: bound))
            tell(.removed)
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
        tell(.worked)
    }

    func remove(_ chance: inout Chance) throws {
        if chance.once(in: 24) {
            _ = try cache.rebuildIndex()
            return tell(.worked)
        }
        let picture = NumberedPicture(chance.number(below: NumberedPicture.count))
        tell(.removing, picture.number)
        try cache.remove(picture.key)
        tell(.removed)
    }

    /// Reads pictures, and now and then asks the index.
    func read(_ chance: inout Chance) throws {
        let picture = NumberedPicture(chance.number(below: NumberedPicture.count))
        switch chance.number(below: 32) {
        case 0:
            _ = try cache.statistics()
            tell(.worked)
        case 1:
            var query = EntryQuery()
            query.contact = NumberedPicture.contacts.randomElement(using: &chance)
            query.limit = 20
            for entry in try cache.entries(query) where entry.size > NumberedPicture.largestFile {
                stop(.wrongBytes, 0, "\(entry.key): \(entry.size) bytes, more than any entry has")
            }
            tell(.worked)
        default:
            guard let hit = cache.lookup(picture.key), let rendition = try cache.read(hit) else {
                return tell(.missed, picture.number)
            }
            if rendition.png != picture.png {
                stop(.wrongBytes, picture.number, "\(picture.key): wrong bytes were read")
            }
            tell(.read, picture.number)
        }
    }
}
