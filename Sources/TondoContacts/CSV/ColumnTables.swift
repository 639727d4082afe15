/// The names of columns in other languages than English, see `ThunderbirdNames` and `OutlookNames`. Read once, when the first
/// table needs them.
///
/// A program writes all its names in one language, so the language that knows the most names of a row decides about each of
/// them; the others are asked about the rest. Some languages name two columns alike, such as the towns of two addresses:
/// they have the meanings in the program's order.
struct ColumnTables: Sendable {
    static let all = ColumnTables()

    /// What a name means in one table, in the program's order.
    private struct Meaning {
        let table: Int
        var columns: [ColumnName]
    }

    /// By keys of names.
    private var meanings: [String: [Meaning]] = [:]
    private var count = 0

    private init() {
        for line in ThunderbirdNames.text.split(separator: "\n") { add(line, Self.thunderbird) }
        for line in OutlookNames.text.split(separator: "\n") { add(line, Self.outlook) }
    }

    private mutating func add(_ line: Substring, _ columns: [ColumnName]) {
        let names = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
        for (name, column) in zip(names, columns) {
            for name in name.split(separator: "~") { add(String(name), column) }
        }
        count += 1
    }

    private mutating func add(_ name: String, _ column: ColumnName) {
        let key = ColumnKey.of(name)
        if let last = meanings[key]?.indices.last, meanings[key]?[last].table == count {
            meanings[key]?[last].columns.append(column)
        } else {
            meanings[key, default: []].append(Meaning(table: count, columns: [column]))
        }
    }

    func knows(_ key: String) -> Bool { meanings[key] != nil }

    /// The meanings of a row's names in the table that knows the most of them, and in the others: nil for names that it does
    /// not know, or to which the others give different meanings. `keys`: of the names. `known`: the number of names that
    /// the best table knows.
    func columns(_ keys: [String]) -> (best: [ColumnName?], others: [ColumnName?], known: Int) {
        let found = keys.map { meanings[$0] ?? [] }
        var counts: [Int: Int] = [:]
        for meanings in found { for meaning in meanings { counts[meaning.table, default: 0] += 1 } }
        let most = counts.values.max() ?? 0
        // The first of several that know as many: the same for every load.
        let table = counts.filter { $0.value == most }.keys.min()
        let times = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var (seen, best, others) = ([String: Int](), [ColumnName?](), [ColumnName?]())
        for (key, meanings) in zip(keys, found) {
            let (index, count) = (seen[key, default: 0], times[key] ?? 1)
            seen[key] = index + 1
            best.append(meanings.first { $0.table == table }?.columns.meaning(index, of: count))
            let all = Set(meanings.map { $0.columns.meaning(index, of: count) })
            others.append(all.count == 1 ? all.first : nil)
        }
        return (best, others, most)
    }
}

extension [ColumnName] {
    /// The meaning of the name that comes up for the `index`th time in the row, of `times`.
    fileprivate func meaning(_ index: Int, of times: Int) -> ColumnName {
        // One column that may be a form of address or a job is a job.
        if times == 1, count > 1, let title = first(where: { $0 == .plain(.title) }) { return title }
        return self[Swift.min(index, count - 1)]
    }
}

extension ColumnTables {
    /// In the order of Thunderbird's exports, without the custom fields.
    static let thunderbird: [ColumnName] =
        [
            .plain(.given), .plain(.family), .plain(.formatted), .plain(.nickname), .email(""), .email("other"),
            .ignored,
            .phone("work"), .phone("home"), .phone("fax"), .phone("pager"), .phone("mobile"),
        ] + address("home", [.street, .extended, .city, .region, .code, .country])
        + address("work", [.street, .extended, .city, .region, .code, .country]) + [
            .plain(.title), .plain(.department), .plain(.organisation), .website("work"), .website("home"),
            .plain(.birthYear), .plain(.birthMonth), .plain(.birthDay), .plain(.notes),
        ]

    static let outlook: [ColumnName] =
        [
            .plain(.prefix), .plain(.given), .plain(.additional), .plain(.family), .plain(.suffix),
            .plain(.organisation), .plain(.department), .plain(.title),
        ] + ["work", "home", "other"].flatMap { address($0, [.street, .city, .region, .code, .country]) } + [
            .phone("work fax"), .phone("work"), .phone("car"), .phone("main"), .phone("home fax"), .phone("home"),
            .phone("mobile"), .phone("fax"), .phone("other"), .phone("pager"), .phone("main"), .phone("radio"),
            .plain(.birthday), .plain(.categories), .email(""), .plain(.notes), .plain(.occupation), .website(""),
            .address("work", .box), .address("home", .box), .address("other", .box),
        ]

    private static func address(_ kind: String, _ parts: [PostalAddress.Part]) -> [ColumnName] {
        parts.map { .address(kind, $0) }
    }
}

/// What names of columns have in common however they are written: letters alone, without case and accents. So
/// `E-mail 2 Address` and `E-Mail-Address`, which differ by number and punctuation, are one name.
enum ColumnKey {
    static func of(_ name: String) -> String {
        String(String.UnicodeScalarView(ContactSearch.folded(name).unicodeScalars.filter(isPart)))
    }

    /// Letters, and the marks that some scripts write vowels with.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isAlphabetic || properties.generalCategory == .nonspacingMark
    }
}
