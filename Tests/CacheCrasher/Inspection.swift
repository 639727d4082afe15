import FoundationEssentials
import SystemPackage
import TondoCache

/// An inspection of a whole cache that no process uses at the moment.
struct Inspection {
    private let cache: AvatarCache
    private let ledger: Ledger
    private let isIndexSafe: Bool

    init(_ folder: FilePath, _ ledger: Ledger, isIndexSafe: Bool) throws {
        (self.ledger, self.isIndexSafe) = (ledger, isIndexSafe)
        var options = AvatarCache.Options()
        // Looking is no use that would keep an entry from making room.
        options.now = { NumberedImage.date(0) }
        options.maxSize = nil
        cache = try AvatarCache(folder, options: options)
    }

    /// What is not as promised, for people.
    func problems() throws -> [String] {
        let problems = try verification() + entries()
        cache.close()
        return problems
    }

    private func verification() throws -> [String] {
        let found = try cache.verify(isRepairing: false)
        var problems: [String] = []
        if isIndexSafe {
            if !found.isIndexIntact { problems.append("the index is damaged") }
            problems += found.problems.filter { $0.kind != .stray }.map { "found \($0)" }
        }
        let repaired = try cache.verify(isRepairing: true)
        problems += repaired.problems.filter { !$0.isRepaired }.map { "not repaired: \($0)" }
        let rest = try cache.verify(isRepairing: false)
        if !rest.isClean { problems.append("not clean after repair: \(rest)") }
        let listed = try cache.statistics().entries
        if listed != rest.entries { problems.append("\(listed) of \(rest.entries) entries are listed") }
        return problems
    }

    private func entries() throws -> [String] {
        let lasting = Set(ledger.lasting)
        return try (0..<NumberedImage.count).compactMap { number in
            let image = NumberedImage(number)
            guard let hit = cache.lookup(image.key), let avatar = try cache.read(hit) else {
                return lasting.contains(number) ? "lost: \(number) \(image.key)" : nil
            }
            if !ledger.begun.contains(number) { return "never stored: \(number)" }
            return avatar.bytes == image.png ? nil : "wrong bytes: \(number) \(image.key)"
        }
    }
}
