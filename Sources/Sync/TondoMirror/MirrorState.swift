internal import TondoText

/// What a mirror holds: the contents of its file `state`, a line for each fact, in words separated by blanks.
///
///     tondo-mirror 2
///     attribute KEY VALUE
///     item FILE VERSION ID DIGEST STAMP
///     photos ID [URL FILE]...
///     withheld ID
///     end COUNT
///
/// Version 1 has items without digests and stamps. The last line counts the others, so that a file that was cut off is not taken for a smaller mirror.
package struct MirrorState: Equatable, Sendable {
    /// A file that the mirror wrote for one name of the source: a card, or a photo of cards.
    package struct Member: Equatable, Sendable {
        /// Its name below `cards`.
        package var file: String
        /// The version at the source, compared for equality only; empty: unknown.
        package var version: String
        /// The digest of the bytes that the mirror wrote.
        package var digest: FileDigest
        /// `FileStatus.stamp` when the file had these bytes; zero: unknown.
        package var stamp: UInt64

        /// Without digest and stamp: a member whose bytes are not known, as in version 1 of the file.
        package init(file: String, version: String, digest: FileDigest = .unknown, stamp: UInt64 = 0) {
            self.file = file
            self.version = version
            self.digest = digest
            self.stamp = stamp
        }

        /// Whether it is a photo, and no card.
        package var isPhoto: Bool { file.utf8.contains(UInt8(ascii: "/")) }
    }

    /// By the source's name of each.
    package var members: [String: Member] = [:]
    /// The photos of the cards of which they are known, see `MirrorItem`. Apart from the members, of which a directory
    /// has a hundred thousand.
    package var photos: [String: [String: String]] = [:]
    /// What the source has to remember, such as a token.
    package var attributes: [String: String] = [:]
    /// Members whose deletion waits for a second run.
    package var withheld: Set<String> = []

    /// The state of a mirror that does not exist yet.
    package init() {}

    enum Failure: Error { case damaged, newer }

    fileprivate static let format = "tondo-mirror"
    fileprivate static let version = "2"
    fileprivate static let readable = ["1", version]

    init(_ text: [UInt8]) throws(Failure) {
        var reader = MirrorStateReader(size: text.count, tail: text[...])
        try reader.take(text[...])
        self = try reader.finish()
    }

    /// The number of lines before the last one, which says so; nil: the end of the text is missing. `tail`: of the text.
    fileprivate static func count(inTail tail: ArraySlice<UInt8>) -> Int? {
        let newline = UInt8(ascii: "\n")
        guard tail.last == newline else { return nil }
        let line = tail.dropLast()
        let last = words(line[((line.lastIndex(of: newline) ?? line.startIndex - 1) + 1)...])
        return last.count == 2 && last[0] == "end" ? Int(last[1]) : nil
    }

    fileprivate mutating func take(_ words: [String]) throws(Failure) {
        switch (words.first, words.count) {
        case ("attribute", 3): attributes[words[1]] = words[2]
        case ("item", 4) where Self.isInside(words[1]): members[words[3]] = Member(file: words[1], version: words[2])
        case ("item", 6) where Self.isInside(words[1]):
            guard let stamp = UInt64(words[5], radix: 16) else { throw .damaged }
            let digest = words[4].isEmpty ? .unknown : FileDigest(words[4])
            guard let digest else { throw .damaged }
            members[words[3]] = Member(file: words[1], version: words[2], digest: digest, stamp: stamp)
        case ("withheld", 2): withheld.insert(words[1])
        case ("photos", let count) where count > 1 && count.isMultiple(of: 2):
            photos[words[1]] = Dictionary(
                stride(from: 2, to: count, by: 2).map { (words[$0], words[$0 + 1]) }
            ) { first, _ in first }
        default: throw .damaged
        }
    }

    /// Nothing that a damaged file says is written or removed elsewhere.
    static func isInside(_ file: String) -> Bool {
        file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
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
        for (id, member) in members {
            let digest = member.digest.isKnown ? member.digest.text : ""
            try add(["item", member.file, member.version, id, digest, String(member.stamp, radix: 16)])
        }
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

/// Reads a state that arrives in pieces: the text of a large one would take as much memory as what it says.
struct MirrorStateReader {
    /// What `init` has to see of the end.
    static let tail = 64

    private var state = MirrorState()
    private var line: [UInt8] = []
    private var lines = 0
    private let count: Int?

    /// `size`: of the whole text. `tail`: its last bytes.
    init(size: Int, tail: ArraySlice<UInt8>) {
        count = MirrorState.count(inTail: tail).flatMap { 1...max(size, 1) ~= $0 ? $0 : nil }
        // A table that grows is there twice for a moment. No file makes it larger than its members could be.
        state.members.reserveCapacity(min(count ?? 0, size / 24))
    }

    mutating func take(_ piece: ArraySlice<UInt8>) throws(MirrorState.Failure) {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if line.isEmpty {
                try take(line: piece[start..<end])
            } else {
                line += piece[start..<end]
                try take(line: line[...])
                line.removeAll(keepingCapacity: true)
            }
            start = end + 1
        }
        line += piece[start...]
    }

    private mutating func take(line: ArraySlice<UInt8>) throws(MirrorState.Failure) {
        let words = MirrorState.words(line)
        defer { lines += 1 }
        if lines == 0 {
            guard words.count == 2, words[0] == MirrorState.format else { throw .damaged }
            guard MirrorState.readable.contains(words[1]) else { throw .newer }
        } else if let count, lines <= count {
            if lines < count { try state.take(words) }
        } else {
            throw .damaged
        }
    }

    func finish() throws(MirrorState.Failure) -> MirrorState {
        guard let count, lines == count + 1, line.isEmpty else { throw .damaged }
        return state
    }
}
