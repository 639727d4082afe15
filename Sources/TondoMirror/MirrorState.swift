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
        /// See `MirrorItem`.
        package var photos: [String: String]?

        package init(file: String, version: String, photos: [String: String]? = nil) {
            (self.file, self.version, self.photos) = (file, version, photos)
        }

        /// Whether it is a photo, and no card.
        package var isPhoto: Bool { file.utf8.contains(UInt8(ascii: "/")) }
    }

    /// By the source's name of each.
    package var members: [String: Member] = [:]
    /// What the source has to remember, such as a token.
    package var attributes: [String: String] = [:]
    /// Members whose deletion waits for a second run.
    package var withheld: Set<String> = []

    package init() {}

    enum Failure: Error { case damaged, newer }

    private static let format = "tondo-mirror"
    private static let version = "1"

    init(_ text: [UInt8]) throws(Failure) {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first, let last = lines.last, text.last == UInt8(ascii: "\n") else { throw .damaged }
        let head = Self.words(first)
        guard head.count == 2, head[0] == Self.format else { throw .damaged }
        guard head[1] == Self.version else { throw .newer }
        guard Self.words(last) == ["end", "\(lines.count - 1)"] else { throw .damaged }
        members.reserveCapacity(lines.count)
        for line in lines.dropFirst().dropLast() { try take(Self.words(line)) }
    }

    private mutating func take(_ words: [String]) throws(Failure) {
        switch (words.first, words.count) {
        case ("attribute", 3): attributes[words[1]] = words[2]
        case ("item", 4): members[words[3]] = Member(file: words[1], version: words[2])
        case ("withheld", 2): withheld.insert(words[1])
        case ("photos", let count) where count > 1 && count.isMultiple(of: 2):
            members[words[1]]?.photos = Dictionary(
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
        for (id, member) in members {
            guard let photos = member.photos else { continue }
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
