import Foundation
import TondoCache

/// Questions to an index of many rows.
struct IndexBench {
    private let large: LargeIndex
    private let options: Options

    init(_ large: LargeIndex, _ options: Options) { (self.large, self.options) = (large, options) }

    func run() throws -> Section {
        let path = large.path
        large.forget()
        let cold = try Cost.of { _ = try AvatarCache.unlimited(path).statistics() }
        large.forget()
        let coldList = try Cost.of { _ = try AvatarCache.unlimited(path).entries(Self.query { _ in }) }
        let cache = try AvatarCache.unlimited(path)
        let known = try cache.statistics().entries
        precondition(known == large.entries)
        let queryTimes = Self.queries.map { name, query in
            Contestant("entries, \(name)") { _ = try cache.entries(query) }
        }
        let rounds = try Rounds(
            options.rounds,
            [
                Contestant("statistics") { _ = try cache.statistics() },
                Contestant("statistics, opened anew") { _ = try AvatarCache.unlimited(path).statistics() },
            ] + queryTimes)
        var section = Section(
            "questions to \(large.entries) entries, 50 wanted", unit: "ms", rounds, scale: 1e3, base: nil)
        for (name, cost) in [("not in memory: open, statistics", cold), ("not in memory: open, entries", coldList)] {
            section.rows.append(
                Section.Row(name: name, wall: Series(values: [cost.wall * 1e3]), cpu: Series(values: [cost.cpu * 1e3])))
        }
        let slowest = section.rows.prefix(rounds.names.count).max { $0.wall.median < $1.wall.median }
        for row in [section["statistics"], section["entries, last used"], slowest] {
            guard let row else { continue }
            let what = row.name == slowest?.name ? "slowest question: \(row.name)" : row.name
            section.targets.append(
                Section.Target(what: what, figure: row.wall.median / 1e3, target: 1, unit: "s"))
        }
        return section
    }

    private static var queries: [(String, EntryQuery)] {
        let day = 86_400.0
        let newest = Date(timeIntervalSince1970: 1_760_000_000 + 10_000_000)
        return [
            ("last used", query { _ in }),
            ("last created", query { $0.order = .created }),
            ("largest", query { $0.order = .size }),
            ("most costly", query { $0.order = .cost }),
            ("of a contact", query { $0.contact = LargeIndex.contact }),
            ("of nobody", query { $0.contact = "people/nobody.vcf" }),
            ("of a common style", query { $0.styleWords = ["side=96"] }),
            ("of a rare style", query { $0.styleWords = ["side=1024"] }),
            ("of no style", query { $0.styleWords = ["side=7"] }),
            ("of a common style, largest", query { ($0.styleWords, $0.order) = (["side=96"], .size) }),
            ("since long", query { $0.since = newest.addingTimeInterval(-100 * day) }),
            ("since long, largest", query { ($0.since, $0.order) = (newest.addingTimeInterval(-100 * day), .size) }),
            ("larger than half", query { $0.largerThan = 22_000 }),
            ("larger than nearly all", query { $0.largerThan = 41_998 }),
            ("larger than nearly all, last created", query { ($0.largerThan, $0.order) = (41_998, .created) }),
        ]
    }

    private static func query(_ change: (inout EntryQuery) -> Void) -> EntryQuery {
        var query = EntryQuery()
        query.limit = 50
        change(&query)
        return query
    }
}
