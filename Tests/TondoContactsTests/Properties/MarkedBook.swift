import SystemPackage
import TondoTestSupport

@testable import TondoContacts

/// A small book in which every value of a record carries the record's mark: a letter four times between two `q`, so that no
/// changed byte makes the mark of another record.
struct MarkedBook {
    /// Programs that write books, each with another layout.
    enum Writer: CaseIterable {
        case vCard, ldif, ldifWithoutEmptyLines, googleCSV, quotedCSV, tondoJSON, messengerJSON, friendGroups

        var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// What happens to a book. These are left out, because no reader can know of them:
    /// - a stretch over a boundary between records, with the marks of both ends, is lost: what remains is one record. So a
    ///   second damage is never beside the first one.
    /// - LDIF: the file ends inside the name of an attribute, and another one is joined: `ma` and `dn: ...` are an
    ///   attribute `madn`. It is cut inside a value instead.
    enum Damage: CaseIterable {
        case lineDeleted, lineRepeated, lineEndDeleted, byteChanged, byteDeleted, byteRepeated
        case cutAtEnd, cutAtStart
        /// Another file stands directly behind the last byte of this one.
        case joined
        /// The same, but this one is cut inside a value.
        case cutAndJoined
        case recordRepeated, recordsExchanged
    }

    /// The records of a file, and what stands around them.
    var head: [String] = []
    var records: [[String]] = []
    var tail: [String] = []
    /// Of lines, and between records.
    let lineEnd: String
    /// In the order of the records.
    private(set) var marks: [Character]
    let writer: Writer
    /// The bytes once they are damaged.
    private var damaged: [UInt8]?
    /// Lines that no further damage may touch.
    private var touched: ClosedRange<Int>?

    init(_ writer: Writer, _ numbers: inout SplitMix64) {
        self.writer = writer
        lineEnd = Bool.random(using: &numbers) ? "\r\n" : "\n"
        marks = Array("abcdefgh".shuffled(using: &numbers).prefix(Int.random(in: 2...4, using: &numbers)))
        write(&numbers)
    }

    static func mark(_ letter: Character) -> String { "q\(String(repeating: letter, count: 4))q" }

    /// A small file that begins like a JPEG, with the mark inside, as base64.
    static func photo(_ letter: Character) -> String {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        for _ in 0..<6 { bytes += Array(mark(letter).utf8) }
        return base64(bytes)
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let number = (0..<3).reduce(0) { $0 << 8 | Int(start + $1 < bytes.count ? bytes[start + $1] : 0) }
            for place in 0..<4 {
                text.append(place <= group.count ? letters[number >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }

    var bytes: [UInt8] { damaged ?? Array(text.utf8) }

    private var text: String {
        (head + records.flatMap { $0 } + tail).map { $0 + lineEnd }.joined()
    }
}

extension MarkedBook {
    /// The marks of each contact that is read, its photo's included.
    func marksOfContacts() -> [Set<Character>] {
        let bytes = bytes
        guard let contents = try? writer.format.read(bytes, name: "book") else { return [] }
        return contents.contacts.map { contact in
            var texts = Self.values(of: contact)
            if case .inline(let photo, _) = contact.photo { texts.append(Self.text(of: photo, in: bytes)) }
            return texts.reduce(into: []) { $0.formUnion(Self.marks(in: $1)) }
        }
    }

    /// Everything that the writers here give a contact. Reflection would find the same in ten times the time.
    private static func values(of contact: Contact) -> [String] {
        let name = contact.name
        let names =
            [name.formatted, name.given, name.family, name.additional, name.prefix, name.suffix] + name.nicknames
        let points = (contact.phones + contact.emails + contact.addresses + contact.websites).flatMap {
            [$0.value, $0.label ?? ""]
        }
        let others = [contact.title, contact.role, contact.introduction, contact.birthday, contact.revision]
        let lists = contact.organisation + contact.chatLog + contact.members + contact.messengers.values
        let groups = contact.groups.flatMap { [$0.id, $0.name] }
        var photo: [String] = []
        switch contact.photo {
        case .file(let path, _): photo = [path]
        case .remote(let url): photo = [url]
        case .inline, nil: break
        }
        return [contact.id] + names + points + others.compactMap { $0 } + lists + groups + photo
    }

    private static func text(of photo: InlinePhoto, in file: [UInt8]) -> String {
        switch photo {
        case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .encoded(let encoded):
            let decoded = try? file[encoded.bytes].withUnsafeBytes { try encoded.decoded(from: $0) }
            return String(decoding: decoded ?? [], as: UTF8.self)
        }
    }

    private static func marks(in text: String) -> Set<Character> {
        var found: Set<Character> = []
        let bytes = Array(text.utf8)
        for start in bytes.indices where bytes[start] == UInt8(ascii: "q") && start + 5 < bytes.count {
            let letter = bytes[start + 1]
            let isMark =
                bytes[start + 5] == UInt8(ascii: "q") && bytes[(start + 2)...(start + 4)].allSatisfy { $0 == letter }
            if isMark, UInt8(ascii: "a")...UInt8(ascii: "h") ~= letter {
                found.insert(Character(Unicode.Scalar(letter)))
            }
        }
        return found
    }
}

extension MarkedBook {
    mutating func take(_ damage: Damage, _ numbers: inout SplitMix64) {
        // Once bytes have changed, there are no records any more.
        let isOfLines = [.lineDeleted, .lineRepeated, .lineEndDeleted, .byteChanged, .byteDeleted, .byteRepeated]
            .contains(damage)
        if !isOfLines, damaged != nil { return }
        switch damage {
        case .recordRepeated:
            let index = Int.random(in: records.indices, using: &numbers)
            records.insert(records[index], at: Int.random(in: records.indices, using: &numbers))
        case .recordsExchanged:
            records.swapAt(0, records.count - 1)
        case .joined, .cutAndJoined: join(isCut: damage == .cutAndJoined, &numbers)
        case .cutAtEnd: damaged = Array(bytes.dropLast(Int.random(in: 1..<bytes.count, using: &numbers)))
        case .cutAtStart: damaged = Array(bytes.dropFirst(Int.random(in: 1..<bytes.count, using: &numbers)))
        default: damageLine(damage, &numbers)
        }
    }

    /// This book, or the records before a place in it, and the rest as a file of its own.
    private mutating func join(isCut: Bool, _ numbers: inout SplitMix64) {
        var (first, second) = (self, self)
        let place = Int.random(in: 1..<max(records.count, 2), using: &numbers)
        first.records = Array(records.prefix(place))
        second.records = Array(records.dropFirst(place))
        var start = Array(first.text.utf8.dropLast(lineEnd.utf8.count))
        if isCut {
            let lengths = start.indices.filter { writer.canCut(start, at: $0) }
            start = Array(start.prefix(lengths.randomElement(using: &numbers) ?? start.count))
        }
        damaged = start + Array(second.text.utf8)
    }

    private mutating func damageLine(_ damage: Damage, _ numbers: inout SplitMix64) {
        var lines = Self.lines(bytes)
        let free = lines.indices.filter { touched?.contains($0) != true }
        guard let index = free.randomElement(using: &numbers) else { return }
        // A record has some ten lines.
        touched = (index - 12)...(index + 12)
        let place = Int.random(in: lines[index].indices, using: &numbers)
        switch damage {
        case .lineDeleted: lines[index] = []
        case .lineRepeated: lines[index] += lines[index]
        case .lineEndDeleted: lines[index].removeLast(min(lineEnd.utf8.count, lines[index].count))
        case .byteDeleted: lines[index].remove(at: place)
        case .byteRepeated: lines[index].insert(lines[index][place], at: place)
        default: lines[index][place] = UInt8.random(in: 0x09...0x7E, using: &numbers)
        }
        damaged = lines.flatMap { $0 }
    }

    /// With their ends.
    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) + [0x0A] }
        lines[lines.count - 1].removeLast()
        return lines.filter { !$0.isEmpty }
    }
}
