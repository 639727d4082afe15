internal import CChecksum
internal import FoundationEssentials
internal import Glibc
internal import TondoText
internal import libdeflate

/// The trailer that the cache adds to an avatar's file: a checksum of the whole file, and data that the index must not
/// lose.
///
/// It is a private ancillary chunk, `seAL`, before IEND (PNG third edition 5.4), so the file stays a PNG for all
/// programs; it is removed before anything is served. Its data: fields as text, their size as four bytes, highest
/// first, and the XXH3-128 of the file up to there, seeded with the key. All of it is found from the file's end.
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

    private static let type: [UInt8] = Array("seAL".utf8)
    private static let checksumSize = 16
    /// IEND with its size and CRC.
    static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// From the fields' size to the end of the file.
    private static let tailSize = 4 + checksumSize + 4 + end.count

    private var text: String {
        var fields = Fields()
        fields.add("created", String(created))
        fields.add("cost", String(cost))
        for contact in contacts { fields.add("contact", contact) }
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
        for name in names where kept.count < mostContacts {
            let isName = (1...longestContact).contains(name.utf8.count) && !name.utf8.contains(0)
            // Names that only look alike are different ones.
            if isName && !kept.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { kept.append(name) }
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

    /// The whole file, or nil if `png` does not begin and end like a PNG.
    func file(appendedTo png: UnsafeRawBufferPointer, key: CacheKey) -> [UInt8]? {
        guard png.count > Self.signature.count + Self.end.count, png.holds(Self.signature, at: 0),
            png.holds(Self.end, at: png.count - Self.end.count)
        else { return nil }
        let text = Array(text.utf8)
        let body = png.count - Self.end.count
        let size = text.count + 4 + Self.checksumSize
        return [UInt8](unsafeUninitializedCapacity: body + 8 + text.count + Self.tailSize) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: png[..<body]))
            count = body
            func put(_ bytes: UnsafeRawBufferPointer) {
                UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: bytes)
                count += bytes.count
            }
            func put(_ number: UInt32) { withUnsafeBytes(of: number.bigEndian) { put($0) } }
            put(UInt32(size))
            Self.type.withUnsafeBytes { put($0) }
            text.withUnsafeBytes { put($0) }
            put(UInt32(text.count))
            let whole = UnsafeRawBufferPointer(target)
            let sum = Self.checksum(UnsafeRawBufferPointer(rebasing: whole[..<count]), key)
            withUnsafeBytes(of: sum) { put($0) }
            let chunk = UnsafeRawBufferPointer(rebasing: whole[(body + 4)..<count])
            put(libdeflate_crc32(0, chunk.baseAddress, chunk.count))
            Self.end.withUnsafeBytes { put($0) }
        }
    }

    /// Why a file is not what was stored under its key.
    enum Damage: String, Error {
        case short = "too short"
        case large = "too large"
        case noTrailer = "no seal"
        case checksum = "the checksum differs"
        case recipe = "its recipe is another entry's"
    }

    /// Checks a whole file. Returns the number of bytes before the trailer; with `end` appended they are the avatar.
    static func check(_ file: UnsafeRawBufferPointer, key: CacheKey) throws(Damage) -> Int {
        let bounds = try bounds(file)
        let head = UnsafeRawBufferPointer(rebasing: file[..<(bounds.text.upperBound + 4)])
        let sum = checksum(head, key)
        guard file.loadUnaligned(fromByteOffset: head.count, as: UInt64.self) == sum.0,
            file.loadUnaligned(fromByteOffset: head.count + 8, as: UInt64.self) == sum.1
        else { throw .checksum }
        // Tondo does not need the CRC of the chunk, but other programs do.
        let chunk = UnsafeRawBufferPointer(rebasing: file[(bounds.body + 4)..<(file.count - end.count - 4)])
        let crc = file.loadUnaligned(fromByteOffset: file.count - end.count - 4, as: UInt32.self)
        guard UInt32(bigEndian: crc) == libdeflate_crc32(0, chunk.baseAddress, chunk.count) else { throw .checksum }
        return bounds.body
    }

    /// The trailer of a checked file.
    init?(_ file: UnsafeRawBufferPointer) { self.init(text: Self.text(file)) }

    /// The trailer's fields; empty if there is none.
    static func text(_ file: UnsafeRawBufferPointer) -> String {
        guard let bounds = try? bounds(file) else { return "" }
        return String(decoding: file[bounds.text], as: UTF8.self)
    }

    /// The position of the trailer, and of its fields.
    private static func bounds(_ file: UnsafeRawBufferPointer) throws(Damage) -> (body: Int, text: Range<Int>) {
        guard file.count >= signature.count + 8 + tailSize else { throw .short }
        guard file.holds(end, at: file.count - end.count) else { throw .noTrailer }
        let textEnd = file.count - tailSize
        let size = Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: textEnd, as: UInt32.self)))
        let body = textEnd - size - 8
        guard body >= signature.count else { throw .noTrailer }
        let chunkSize = UInt32(bigEndian: file.loadUnaligned(fromByteOffset: body, as: UInt32.self))
        guard Int(chunkSize) == size + 4 + checksumSize, file.holds(type, at: body + 4) else { throw .noTrailer }
        return (body, (body + 8)..<textEnd)
    }

    /// As in the file.
    private static func checksum(_ bytes: UnsafeRawBufferPointer, _ key: CacheKey) -> (UInt64, UInt64) {
        let hash = cchecksum_xxh3_128(bytes.baseAddress, bytes.count, key.seed)
        return (hash.high.bigEndian, hash.low.bigEndian)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `bytes` are at `offset`, with enough room for them.
    func holds(_ bytes: [UInt8], at offset: Int) -> Bool {
        let found = UnsafeRawBufferPointer(rebasing: self[offset..<(offset + bytes.count)])
        return bytes.withUnsafeBytes { memcmp(found.baseAddress!, $0.baseAddress!, $0.count) == 0 }
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
