internal import CChecksum
internal import FoundationEssentials
internal import Glibc
internal import TondoText

/// The trailer that the cache adds to an avatar's file: a checksum of the whole file, and data that the index must not
/// lose.
///
/// It is a chunk that other programs skip, `seAL`: in a PNG a private ancillary one before IEND (PNG third edition 5.4), in
/// a WebP an unknown one at the end (RFC 9649 section 2.7.1.6). So the file stays one for all programs; the chunk is removed
/// before anything is served. Its data: fields as text, their size as four bytes, highest first, and the XXH3-128 of the
/// file up to there, seeded with the key. All of it is found from the file's end.
struct EntryTrailer: Equatable {
    /// Milliseconds since 1970.
    var created: Int64
    /// Milliseconds of drawing.
    var cost: Double
    var contacts: [String]

    /// The maximum number of contacts per entry.
    static let mostContacts = 64
    /// Maximum bytes of a name; a longer one is not kept.
    static let longestContact = 1024

    private var text: String {
        var fields = Fields()
        fields.add("created", value: String(created))
        fields.add("cost", value: String(cost))
        for contact in contacts { fields.add("contact", value: contact) }
        return fields.text
    }

    private init(created: Int64, cost: Double, contacts: [String]) {
        self.created = created
        // Only a number of milliseconds fits into the index.
        self.cost = cost.isFinite && cost > 0 ? cost : 0
        self.contacts = Self.kept(contacts)
    }

    init(created: Date, cost: Double, contacts: [String]) {
        self.init(created: created.milliseconds, cost: cost, contacts: contacts)
    }

    /// The `names` to keep, each once. SQLite's text ends at a NUL.
    static func kept(_ names: [String]) -> [String] {
        var kept: [String] = []
        // Names that only look alike are different ones.
        var known: Set<[UInt8]> = []
        for name in names where kept.count < mostContacts {
            let isName = (1...longestContact).contains(name.utf8.count) && !name.utf8.contains(0)
            if isName && known.insert(Array(name.utf8)).inserted { kept.append(name) }
        }
        return kept
    }

    /// Nil if the text was not written by Tondo.
    init?(text: String) {
        var (created, cost, contacts): (String?, String?, [String]) = (nil, nil, [])
        Pairs.of(text) { pairs in
            for pair in pairs {
                if pair.isNamed("contact") {
                    contacts.append(PercentEncoding.decode(pair.value))
                } else if created == nil, pair.isNamed("created") {
                    created = PercentEncoding.decode(pair.value)
                } else if cost == nil, pair.isNamed("cost") {
                    cost = PercentEncoding.decode(pair.value)
                }
            }
        }
        guard let created = created.flatMap({ Int64($0) }), let cost = cost.flatMap({ Double($0) }) else { return nil }
        self.init(created: created, cost: cost, contacts: contacts)
    }

    /// The whole file, or nil if `avatar` is not a whole PNG or WebP.
    func file(appendedTo avatar: UnsafeRawBufferPointer, key: CacheKey) -> [UInt8]? {
        EntryFormat(avatar)?.file(appending: Array(text.utf8), to: avatar) { Self.checksum($0, for: key) }
    }

    /// Why a file is not what was stored under its key.
    enum Damage: String, Error {
        case short = "too short"
        case large = "too large"
        case noTrailer = "no seal"
        case checksum = "the checksum differs"
        case recipe = "its recipe is another entry's"
    }

    /// Checks a whole file. Returns its format, and the number of the avatar's bytes before the trailer: see
    /// `EntryFormat.removeTrailer`.
    static func check(
        _ file: UnsafeRawBufferPointer, key: CacheKey
    ) throws(Damage) -> (format: EntryFormat, body: Int) {
        let (format, layout) = try layout(file)
        let sum = checksum(UnsafeRawBufferPointer(rebasing: file[..<layout.checksum]), for: key)
        guard file.loadUnaligned(fromByteOffset: layout.checksum, as: UInt64.self) == sum.0,
            file.loadUnaligned(fromByteOffset: layout.checksum + 8, as: UInt64.self) == sum.1,
            format.isIntact(file, layout: layout)
        else { throw .checksum }
        return (format, layout.body)
    }

    /// The trailer of a checked file.
    init?(_ file: UnsafeRawBufferPointer) { self.init(text: Self.text(file)) }

    /// The trailer's fields; empty if there is none.
    static func text(_ file: UnsafeRawBufferPointer) -> String {
        guard let layout = try? layout(file).1 else { return "" }
        return String(decoding: file[layout.text], as: UTF8.self)
    }

    private static func layout(_ file: UnsafeRawBufferPointer) throws(Damage) -> (EntryFormat, EntryFormat.Layout) {
        guard let format = EntryFormat(file) else { throw file.count < 12 ? .short : .noTrailer }
        return (format, try format.layout(file))
    }

    /// As in the file.
    private static func checksum(_ bytes: UnsafeRawBufferPointer, for key: CacheKey) -> (UInt64, UInt64) {
        let hash = cchecksum_xxh3_128(bytes.baseAddress, bytes.count, key.seed)
        return (hash.high.bigEndian, hash.low.bigEndian)
    }
}

extension Date {
    /// Whole milliseconds since 1970, a hundred million days before or after at most.
    var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1000).rounded()
        return exact.isNaN ? 0 : Int64(min(max(exact, -8.64e15), 8.64e15))
    }

    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
