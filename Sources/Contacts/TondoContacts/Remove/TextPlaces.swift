/// Where texts occur in a file with a gap, while the gap moves and bytes are put in there.
///
/// The file is searched once for all of the texts, and later only around the bytes that were put in.
struct TextPlaces {
    /// No text is longer, in bytes.
    static let longest = 2 * Cut.neighbourhood

    /// One place of a text. They stay where they are in the file's text: those before the gap are counted from the file's
    /// start, those behind it from its end.
    private struct Place {
        let text: Int
        var offset: Int
        var isBehind: Bool
    }

    /// The texts, each of them once, by their lengths and hashes.
    private let texts: [[UInt8]]
    private var numbers: [Int: [UInt64: [Int]]] = [:]
    private var indices: [[UInt8]: Int] = [:]
    private var places: [Place] = []
    /// The places of each text.
    private var placesOfText: [Set<Int>]
    /// The places on each side of the gap, those next to it last.
    private var before: [Int] = []
    private var behind: [Int] = []
    /// Bytes that were looked at so far: the cost.
    private(set) var work = 0

    /// `texts`: at most `longest` bytes each; empty ones are nowhere.
    init(of texts: [[UInt8]], in file: GapFile) {
        for text in texts where !text.isEmpty && indices[text] == nil { indices[text] = indices.count }
        self.texts = indices.sorted { $0.value < $1.value }.map(\.key)
        placesOfText = self.texts.map { _ in [] }
        for (number, text) in self.texts.enumerated() {
            numbers[text.count, default: [:]][RollingHash(text[...]).value, default: []].append(number)
        }
        search(starts: 0..<file.count, in: file)
        move(to: file.start, of: file.count)
    }

    /// In the file as it is now, in no order.
    func places(of text: [UInt8], in file: GapFile) -> [Int] {
        guard let number = indices[text] else { return [] }
        return placesOfText[number].map { offset(of: $0, in: file.count) }
    }

    /// The place of a text that is nowhere else.
    func onlyPlace(of text: [UInt8], in file: GapFile) -> Int? {
        guard let number = indices[text], placesOfText[number].count == 1, let place = placesOfText[number].first else {
            return nil
        }
        return offset(of: place, in: file.count)
    }

    /// Follows the gap. `count`: the file's.
    mutating func move(to gap: Int, of count: Int) {
        while let place = before.last, places[place].offset >= gap {
            before.removeLast()
            places[place] = Place(text: places[place].text, offset: count - places[place].offset, isBehind: true)
            behind.append(place)
        }
        while let place = behind.last, offset(of: place, in: count) < gap {
            behind.removeLast()
            places[place] = Place(text: places[place].text, offset: offset(of: place, in: count), isBehind: false)
            before.append(place)
        }
    }

    /// So many bytes were just put in before the gap.
    mutating func takeInsertion(of added: Int, in file: GapFile) {
        // A text that the insertion tore apart or made begins no further before it than a text is long.
        let start = max(file.start - added - Self.longest, 0)
        while let place = before.last, places[place].offset >= start {
            before.removeLast()
            placesOfText[places[place].text].remove(place)
        }
        search(starts: start..<file.start, in: file)
    }

    private func offset(of place: Int, in count: Int) -> Int {
        places[place].isBehind ? count - places[place].offset : places[place].offset
    }

    /// Finds all texts that begin in this range, which is before the gap, behind the known places there.
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
            placesOfText[text].insert(places.count)
            before.append(places.count)
            places.append(Place(text: text, offset: offset, isBehind: false))
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
