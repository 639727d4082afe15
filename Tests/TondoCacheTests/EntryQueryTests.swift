import FoundationEssentials
import Testing

@testable import TondoCache

/// Every question gives what looking through all entries gives.
@Suite struct EntryQueryTests {
    private let folder: TemporaryCache
    private let cache: AvatarCache
    private let all: [Entry]

    init() throws {
        folder = try TemporaryCache()
        cache = try folder.open()
        for number in 0..<40 {
            var image = TestImage(number / 4, side: [8, 12, 16, 24][number % 4], bytes: 100 * (number * 7 % 40))
            if number % 5 == 1 { image = image.cropped("top") }
            try cache.store(image, contacts: ["people/\(number / 8)"], cost: Double(number * 11 % 40))
            folder.wait(seconds: 1)
        }
        for number in [3, 30, 17] {
            _ = cache.lookup(TestImage(number / 4, side: [8, 12, 16, 24][number % 4], bytes: 0).key)
            folder.wait(seconds: 1)
        }
        all = try cache.entries(EntryQuery())
    }

    @Test func withoutConditionsAllCome() { #expect(all.count == 40) }

    @Test(arguments: EntryQuery.Order.allCases, [nil, 1, 7, 100])
    func theFirstOnesComeInTheirOrder(order: EntryQuery.Order, limit: Int?) throws {
        for (query, isWanted) in questions {
            var query = query
            (query.order, query.limit) = (order, limit)
            let expected = all.filter(isWanted).sorted { rank($0, order) > rank($1, order) }
            #expect(try cache.entries(query).map(\.key) == expected.prefix(limit ?? .max).map(\.key))
        }
    }

    /// Questions, and the entries they mean.
    private var questions: [(EntryQuery, (Entry) -> Bool)] {
        let since = folder.now.addingTimeInterval(-20)
        func query(_ change: (inout EntryQuery) -> Void) -> EntryQuery {
            var query = EntryQuery()
            change(&query)
            return query
        }
        return [
            (query { _ in }, { _ in true }),
            (query { $0.contact = "people/2" }, { $0.contacts == ["people/2"] }),
            (query { $0.photo = all[0].recipe.photo }, { $0.recipe.photo == all[0].recipe.photo }),
            (query { $0.styleWords = ["side=12"] }, { $0.recipe.side == 12 }),
            (query { $0.styleWords = ["side=1"] }, { _ in false }),
            (query { $0.styleWords = ["side=12", "inset=0"] }, { $0.recipe.side == 12 }),
            (query { $0.styleWords = ["crop=top"] }, { $0.recipe["crop"] == "top" }),
            (
                query { $0.styleWords = ["side=12", "crop=none"] },
                { $0.recipe.side == 12 && $0.recipe["crop"] == "none" }
            ),
            (query { $0.since = since }, { $0.used >= since }),
            (query { $0.largerThan = 2000 }, { $0.size > 2000 }),
            (
                query { ($0.styleWords, $0.since, $0.largerThan) = (["side=16"], since, 1500) },
                { $0.recipe.side == 16 && $0.used >= since && $0.size > 1500 }
            ),
        ]
    }

    private func rank(_ entry: Entry, _ order: EntryQuery.Order) -> Double {
        switch order {
        case .used: entry.used.timeIntervalSince1970
        case .created: entry.created.timeIntervalSince1970
        case .size: Double(entry.size)
        case .cost: entry.cost
        }
    }
}
