/// The known names of columns in all languages, see `ThunderbirdNames`, `OutlookNames` and `ColumnWords`, in one lookup: a
/// name's key, then what it means in each program and language. Built once, when the first table needs it.
///
/// A program writes all its names in one language, so the language that knows the most names of a row decides about each of
/// them; the others are asked about the rest. Some languages name two columns alike, such as the towns of two addresses:
/// they have the meanings in the program's order.
struct ColumnTables: Sendable {
    static let all = ColumnTables()

    /// What a name means in the table of one program and language, in the program's order.
    struct Meaning {
        let table: Int
        var columns: [ColumnName]
    }

    /// All meanings of one name.
    struct Entry {
        /// By table, in ascending order.
        fileprivate(set) var meanings: [Meaning] = []
        /// In tables of no known program, whatever the language.
        fileprivate(set) var plain: ColumnName?

        /// The meaning on which all tables agree for the name that comes up for the `index`th time, of `times`.
        func common(_ index: Int, of times: Int) -> ColumnName? {
            guard let first = meanings.first?.columns.meaning(index, of: times) else { return nil }
            return meanings.dropFirst().allSatisfy { $0.columns.meaning(index, of: times) == first } ? first : nil
        }
    }

    private var entries: [ColumnKey: Entry] = [:]
    private(set) var count = 0
    /// The languages of the tables, by their codes.
    private(set) var languages: [Substring] = []

    private init() {
        entries.reserveCapacity(8192)
        for line in ThunderbirdNames.text.split(separator: "\n") { add(line, columns: Self.thunderbird) }
        for line in OutlookNames.text.split(separator: "\n") { add(line, columns: Self.outlook) }
        for (column, names) in ColumnWords.plain { add(names, column: .plain(column)) }
        for (network, names) in ColumnWords.accounts { add(names, column: .account(network)) }
    }

    /// `names`: between commas.
    private mutating func add(_ names: String, column: ColumnName) {
        for name in names.split(separator: ",") { entries[ColumnKey(String(name)), default: Entry()].plain = column }
    }

    private mutating func add(_ line: Substring, columns: [ColumnName]) {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false)
        let names = parts.dropFirst()
        languages.append(parts[0])
        for (name, column) in zip(names, columns) {
            for name in name.split(separator: "~") {
                entries[ColumnKey(String(name)), default: Entry()].add(column, ofTable: count)
            }
        }
        count += 1
    }

    /// Nil for an unknown name.
    func entry(_ key: ColumnKey) -> Entry? { entries[key] }

    /// The table that knows the most of a row's names, and the number of those. `entries`: of the names.
    func best(for entries: [Entry?]) -> (table: Int, known: Int) {
        var counts = [Int](repeating: 0, count: count)
        for entry in entries { for meaning in entry?.meanings ?? [] { counts[meaning.table] += 1 } }
        let most = counts.max() ?? 0
        // The first of several that know as many: the same for every load.
        return (counts.firstIndex(of: most) ?? 0, most)
    }
}

extension ColumnTables.Entry {
    fileprivate mutating func add(_ column: ColumnName, ofTable table: Int) {
        if let last = meanings.indices.last, meanings[last].table == table {
            meanings[last].columns.append(column)
        } else {
            meanings.append(.init(table: table, columns: [column]))
        }
    }

    /// The meaning in one table for the name that comes up for the `index`th time, of `times`.
    func meaning(inTable table: Int, _ index: Int, of times: Int) -> ColumnName? {
        meanings.first { $0.table == table }?.columns.meaning(index, of: times)
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
        ] + address("home", parts: [.street, .extended, .city, .region, .code, .country])
        + address("work", parts: [.street, .extended, .city, .region, .code, .country]) + [
            .plain(.title), .plain(.department), .plain(.organisation), .website("work"), .website("home"),
            .plain(.birthYear), .plain(.birthMonth), .plain(.birthDay), .plain(.notes),
        ]

    static let outlook: [ColumnName] =
        [
            .plain(.prefix), .plain(.given), .plain(.additional), .plain(.family), .plain(.suffix),
            .plain(.organisation), .plain(.department), .plain(.title),
        ] + ["work", "home", "other"].flatMap { address($0, parts: [.street, .city, .region, .code, .country]) } + [
            .phone("work fax"), .phone("work"), .phone("car"), .phone("main"), .phone("home fax"), .phone("home"),
            .phone("mobile"), .phone("fax"), .phone("other"), .phone("pager"), .phone("main"), .phone("radio"),
            .plain(.birthday), .plain(.categories), .email(""), .plain(.notes), .plain(.occupation), .website(""),
            .address("work", .box), .address("home", .box), .address("other", .box),
        ]

    private static func address(_ kind: String, parts: [PostalAddress.Part]) -> [ColumnName] {
        parts.map { .address(kind, $0) }
    }
}
