internal import TondoText

/// What a mirror holds: the contents of its file `state`, a line for each fact, in words separated by blanks.
///
///     tondo-mirror 1
///     attribute KEY VALUE
///     item FILE VERSION ID
///     photos ID [URL FILE]...
///     withheld ID
///     end COUNT
///
/// The last line counts the others, so that a file that was cut off is not taken for a smaller mirror.
package struct MirrorState: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        /// Its name below `cards`.
        package var file: String
        /// Of the source, compared for equality only; empty: unknown.
        package var version: String

        package init(file: String, version: String) { (self.file, self.version) = (file, version) }

        /// Whether it is a photo, and no card.
        package var isPhoto: Bool { file.utf8.contains(UInt8(ascii: "/")) }
    }

    /// By the source's name of each.
    package var members: [String: Member] = [:]
    /// Of the cards of which that is known, see `MirrorItem`. Apart from the members, of which a directory has a hundred
    /// thousand.
    package var photos: [String: [String: String]] = [:]
    /// What the source has to remember, such as a token.
    package var attributes: [String: String] = [:]
    /// Members whose deletion waits for a second run.
    package var withheld: Set<String> = []

    package init() {}

    enum Failure: Error { case damaged, newer }

    private static let format = "tondo-mirror"
    private static let version = "1"

    init(_ text: [UInt8]) throws(Failure) {
        let newline = UInt8(ascii: "\n")
        guard text.count > 2, text.last == newline else { throw .damaged }
        let end = text.dropLast().lastIndex(of: newline) ?? 0
        let last = Self.words(text[(end + 1)..<(text.count - 1)])
        let head = Self.words(text.prefix { $0 != newline })
        guard head.count == 2, head[0] == Self.format else { throw .damaged }
        guard head[1] == Self.version else { throw .newer }
        guard last.count == 2, last[0] == "end", let count = Int(last[1]), 1...text.count ~= count else {
            throw .damaged
        }
        members.reserveCapacity(count)
        // Line by line: a list of them would take as much memory as what they say.
        var (start, lines) = (0, 0)
        while start <= end, let stop = text[start...].firstIndex(of: newline) {
            if lines > 0 { try take(Self.words(text[start..<stop])) }
            (start, lines) = (stop + 1, lines + 1)
        }
        guard lines == count else { throw .damaged }
    }

    private mutating func take(_ words: [String]) throws(Failure) {
        switch (words.first, words.count) {
        case ("attribute", 3): attributes[words[1]] = words[2]
        case ("item", 4): members[words[3]] = Member(file: words[1], version: words[2])
        case ("withheld", 2): withheld.insert(words[1])
        case ("photos", let count) where count > 1 && count.isMultiple(of: 2):
            photos[words[1]] = Dictionary(
                stride(from: 2, to: count, by: 2).map { (words[$0], words[$0 + 1]) }
            ) { first, _ in first }
        default: throw .damaged
        }
    }

    /// In pieces, since a large mirror has megabytes of them.
    func write(_ output: ([UInt8]) throws -> Void) throws {
        var (piece, count) = ([UInt8](), 1)
        func add(_ words: [String]) throws {
            piece += Self.line(words)
            count += 1
            if piece.count > 1 << 18 {
                try output(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
        piece += Self.line([Self.format, Self.version])
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) { try add(["attribute", key, value]) }
        for (id, member) in members { try add(["item", member.file, member.version, id]) }
        for (id, photos) in photos {
            try add(["photos", id] + photos.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
        }
        for id in withheld.sorted() { try add(["withheld", id]) }
        piece += Self.line(["end", "\(count)"])
        try output(piece)
    }

    /// An empty word is a lone `%`, which no other word is.
    static func line(_ words: [String]) -> [UInt8] {
        let words = words.map { $0.isEmpty ? "%" : PercentEncoding.encode($0, as: .word) }
        return Array(words.joined(separator: " ").utf8) + [UInt8(ascii: "\n")]
    }

    static func words(_ line: ArraySlice<UInt8>) -> [String] {
        line.withUnsafeBufferPointer { line in
            var (words, start) = ([String](), 0)
            words.reserveCapacity(4)
            while start < line.count {
                let end = line[start...].firstIndex(of: UInt8(ascii: " ")) ?? line.count
                if end > start { words.append(word(UnsafeBufferPointer(rebasing: line[start..<end]))) }
                start = end + 1
            }
            return words
        }
    }

    private static func word(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Escapes are rare, and a large mirror has hundreds of thousands of words.
        guard bytes.contains(UInt8(ascii: "%")) else { return text }
        return bytes.count == 1 ? "" : PercentEncoding.decode(text)
    }
}
