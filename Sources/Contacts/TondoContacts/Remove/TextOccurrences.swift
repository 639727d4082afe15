/// Where texts occur in a file with a gap, while the gap moves and bytes are put in there.
///
/// The file is searched once for all of the texts, and later only around the bytes that were put in.
struct TextOccurrences {
    /// No text is longer, in bytes.
    static let longest = 2 * Cut.neighbourhood

    /// An occurrence of a text. Occurrences stay where they are in the file's text: those before the gap are counted from the file's
    /// start, those behind it from its end.
    private struct Occurrence {
        let text: Int
        var offset: Int
        var isBehind: Bool
    }

    /// The texts, each of them once, by their lengths and hashes.
    private let texts: [[UInt8]]
    private var numbers: [Int: [UInt64: [Int]]] = [:]
    private var indices: [[UInt8]: Int] = [:]
    private var occurrences: [Occurrence] = []
    /// The occurrences of each text.
    private var occurrencesOfText: [Set<Int>]
    /// The occurrences on each side of the gap, those next to it last.
    private var before: [Int] = []
    private var behind: [Int] = []
    /// Bytes that were looked at so far: the cost.
    private(set) var work = 0

    /// `texts`: at most `longest` bytes each; empty ones are nowhere.
    init(of texts: [[UInt8]], in file: GapFile) {
        for text in texts where !text.isEmpty && indices[text] == nil { indices[text] = indices.count }
        self.texts = indices.sorted { $0.value < $1.value }.map(\.key)
        occurrencesOfText = self.texts.map { _ in [] }
        for (number, text) in self.texts.enumerated() {
            numbers[text.count, default: [:]][RollingHash(text[...]).value, default: []].append(number)
        }
        search(starts: 0..<file.count, in: file)
        move(to: file.start, of: file.count)
    }

    /// In the file as it is now, in no order.
    func occurrences(of text: [UInt8], in file: GapFile) -> [Int] {
        guard let number = indices[text] else { return [] }
        return occurrencesOfText[number].map { offset(of: $0, in: file.count) }
    }

    /// The occurrence of a text that is nowhere else.
    func onlyOccurrence(of text: [UInt8], in file: GapFile) -> Int? {
        guard let number = indices[text], occurrencesOfText[number].count == 1,
            let index = occurrencesOfText[number].first
        else { return nil }
        return offset(of: index, in: file.count)
    }

    /// Follows the gap. `count`: the file's.
    mutating func move(to gap: Int, of count: Int) {
        while let index = before.last, occurrences[index].offset >= gap {
            before.removeLast()
            occurrences[index] = Occurrence(
                text: occurrences[index].text, offset: count - occurrences[index].offset, isBehind: true)
            behind.append(index)
        }
        while let index = behind.last, offset(of: index, in: count) < gap {
            behind.removeLast()
            occurrences[index] = Occurrence(
                text: occurrences[index].text, offset: offset(of: index, in: count), isBehind: false)
            before.append(index)
        }
    }

    /// So many bytes were just put in before the gap.
    mutating func takeInsertion(of added: Int, in file: GapFile) {
        // A text that the insertion tore apart or made begins no further before it than a text is long.
        let start = max(file.start - added - Self.longest, 0)
        while let index = before.last, occurrences[index].offset >= start {
            before.removeLast()
            occurrencesOfText[occurrences[index].text].remove(index)
        }
        search(starts: start..<file.start, in: file)
    }

    private func offset(of index: Int, in count: Int) -> Int {
        occurrences[index].isBehind ? count - occurrences[index].offset : occurrences[index].offset
    }

    /// Finds all texts that begin in this range, which is before the gap, behind the known occurrences there.
    private mutating func search(starts: Range<Int>, in file: GapFile) {
        let part = file.bytes(starts.lowerBound..<min(starts.upperBound + Self.longest, file.count))
        var found: [(offset: Int, text: Int)] = []
        // A pass for each length, of which there are few: only texts near an end of the file are shorter.
        for (length, texts) in numbers where length <= part.count {
            work += part.count
            var hash = RollingHash(part[..<length])
            for offset in 0..<min(starts.count, part.count - length + 1) {
                if offset > 0 { hash.move(leaving: part[offset - 1], entering: part[offset + length - 1]) }
                guard let candidates = texts[hash.value] else { continue }
                for text in candidates where part[offset..<offset + length].elementsEqual(self.texts[text]) {
                    found.append((starts.lowerBound + offset, text))
                }
            }
        }
        for (offset, text) in found.sorted(by: { $0.offset < $1.offset }) {
            occurrencesOfText[text].insert(occurrences.count)
            before.append(occurrences.count)
            occurrences.append(Occurrence(text: text, offset: offset, isBehind: false))
        }
    }
}

/// A hash of so many bytes, which moves along a text. Equal texts have equal hashes, others rarely.
private struct RollingHash {
    private(set) var value: UInt64 = 0
    /// By which the first byte is multiplied.
    private var weight: UInt64 = 1
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(_ bytes: ArraySlice<UInt8>) {
        for (index, byte) in bytes.enumerated() {
            value = value &* Self.base &+ UInt64(byte) &+ 1
            if index > 0 { weight = weight &* Self.base }
        }
    }

    mutating func move(leaving first: UInt8, entering next: UInt8) {
        value = (value &- weight &* (UInt64(first) + 1)) &* Self.base &+ UInt64(next) &+ 1
    }
}
