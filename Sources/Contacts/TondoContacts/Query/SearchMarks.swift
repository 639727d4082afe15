/// What the words of a search match in one text.
struct SearchMarks {
    /// The words that are in the text.
    private(set) var words = 0
    /// Those of them with which a word of the text begins.
    private(set) var beginnings = 0
    /// Offsets in UTF-16, ascending and apart.
    private(set) var ranges: [Range<Int>] = []
    private let isName: Bool

    init(of terms: [ContactSearch.Term], in text: String, field: ContactField) {
        isName = field == .name
        var marked = MarkedText(text)
        for term in terms {
            if term.words.count > 1, field.hasNumbers, let place = marked.number(term.numbers) {
                add([place], words: term.words.count)
                continue
            }
            for word in term.words {
                let other = field.hasNumbers ? marked.number(word.numbers) : nil
                let joined = field.hasNames ? word.joined.lazy.compactMap { marked.joined($0) }.first : nil
                let places = marked.places(of: word) ?? (other ?? joined).map { [$0] }
                if let places { add(places, words: 1) }
            }
        }
        ranges = Self.joined(ranges)
    }

    /// More words first, then the name, then more beginnings of words.
    func isBetter(than other: SearchMarks) -> Bool {
        if words != other.words { return words > other.words }
        if isName || other.isName { return isName && !other.isName }
        return beginnings > other.beginnings
    }

    private mutating func add(_ places: [MarkedText.Place], words count: Int) {
        words += count
        if places.contains(where: \.isBeginning) { beginnings += count }
        ranges += places.map(\.range)
    }

    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}

/// A text with the place of each byte of its folded form.
struct MarkedText {
    struct Place {
        /// Offsets in UTF-16.
        var range: Range<Int>
        /// A word of the text begins there.
        var isBeginning: Bool
    }

    private let text: String
    private let isASCII: Bool
    /// The words that are not ASCII with their readings; nil: not read yet.
    private var read: [(word: Range<String.Index>, readings: [SearchSounds.Reading])]?
    /// The characters' folded forms.
    private var bytes: [UInt8] = []
    /// The character of each byte.
    private var owners: [Int] = []
    /// The offset in UTF-16 of each character, and of the end.
    private var starts: [Int] = [0]
    /// Whether a word begins with the character.
    private var begins: [Bool] = []

    init(_ text: String) {
        self.text = text
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        var wasWord = false
        for (number, character) in text.enumerated() {
            if let byte = character.asciiValue, !SearchFold.isLeftOut(byte) {
                bytes.append(ASCII.lowered(byte))
            } else {
                bytes += SearchFold.folded(String(character)).utf8
            }
            while owners.count < bytes.count { owners.append(number) }
            starts.append(starts[number] + character.utf16.count)
            let isWord = character.isWord
            begins.append(isWord && (!wasWord || character.isHan))
            wasWord = isWord && !character.isHan
        }
    }

    private var whole: Range<Int> { 0..<starts[starts.count - 1] }

    /// The beginnings of words that are the word's; without any, its first place inside a word. Nil if there is none.
    mutating func places(of word: SearchWord) -> [Place]? {
        let found = word.texts.flatMap { places(of: $0) }
        let first = found.filter(\.isBeginning)
        if !first.isEmpty { return first }
        let heard = isASCII ? [] : sounds(of: word)
        if heard.contains(where: \.isBeginning) { return heard.filter(\.isBeginning) }
        if let place = found.first ?? heard.first { return [place] }
        if isASCII { return nil }
        // A text that is folded otherwise as a whole than character by character.
        let folded = Array(SearchFold.folded(text).utf8)
        let isThere = word.texts.contains { !folded.places(of: $0).isEmpty }
        return isThere ? [Place(range: whole, isBeginning: false)] : nil
    }

    private func places(of needle: SearchNeedle) -> [Place] {
        bytes.places(of: needle).map { place in
            let (first, last) = (owners[place.lowerBound], owners[place.upperBound - 1])
            let isStart = place.lowerBound == 0 || owners[place.lowerBound - 1] != first
            return Place(range: starts[first]..<starts[last + 1], isBeginning: isStart && begins[first])
        }
    }

    /// All of a name whose words the needle has as one; nil if they are not there.
    func joined(_ needle: SearchNeedle) -> Place? {
        let words = Array(SearchFold.joined(SearchFold.folded(text)).utf8)
        return words.places(of: needle).isEmpty ? nil : Place(range: whole, isBeginning: true)
    }

    /// Words, or characters of words, that sound so.
    private mutating func sounds(of word: SearchWord) -> [Place] {
        if word.sounds.isEmpty { return [] }
        let words =
            read
            ?? SearchSounds.words(of: text).map { range in
                var pinyin = PinyinTable()
                return (range, SearchSounds.readings(of: String(text[range]), &pinyin))
            }
        read = words
        return words.flatMap { range, readings in
            readings.flatMap { reading in word.sounds.flatMap { places(of: $0, in: reading, of: range) } }
        }
    }

    private func places(
        of needle: SearchNeedle, in reading: SearchSounds.Reading, of word: Range<String.Index>
    ) -> [Place] {
        let start = text.utf16.distance(from: text.startIndex, to: word.lowerBound)
        let count = text.utf16.distance(from: word.lowerBound, to: word.upperBound)
        let character = character(at: start)
        return Array(reading.text.utf8).places(of: needle).map { place in
            guard let first = reading.parts.firstIndex(where: { $0.upperBound > place.lowerBound }),
                let last = reading.parts.lastIndex(where: { $0.lowerBound < place.upperBound })
            else { return Place(range: start..<start + count, isBeginning: place.lowerBound == 0) }
            return Place(
                range: starts[character + first]..<starts[character + last + 1],
                isBeginning: reading.parts[first].lowerBound == place.lowerBound)
        }
    }

    /// The character that begins at an offset in UTF-16.
    private func character(at offset: Int) -> Int {
        var (low, high) = (0, starts.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The digits of a number, or all of it if its digits have another form in the text; nil if they are not there.
    func number(_ needles: [SearchNeedle]) -> Place? {
        var (digits, places): ([UInt8], [Range<Int>]) = ([], [])
        var offset = 0
        for scalar in text.unicodeScalars {
            let next = offset + scalar.utf16.count
            if let digit = SearchFold.digit(of: scalar) {
                digits.append(0x30 + digit)
                places.append(offset..<next)
            }
            offset = next
        }
        for needle in needles {
            guard let place = digits.places(of: needle).first else { continue }
            let range = places[place.lowerBound].lowerBound..<places[place.upperBound - 1].upperBound
            return Place(range: range, isBeginning: place.lowerBound == 0)
        }
        let forms = Array(SearchDigits.text(of: text).utf8)
        let isThere = needles.contains { !forms.places(of: $0).isEmpty }
        return isThere ? Place(range: whole, isBeginning: true) : nil
    }
}

extension [UInt8] {
    /// Where a needle is, without overlaps.
    fileprivate func places(of needle: SearchNeedle) -> [Range<Int>] {
        guard count >= needle.count - 1 else { return [] }
        let needle = needle.dropLast().map { UInt8(bitPattern: $0) }
        guard let first = needle.first else { return [] }
        var (places, start): ([Range<Int>], Int) = ([], 0)
        while start + needle.count <= count {
            if self[start] == first, self[start..<start + needle.count].elementsEqual(needle) {
                places.append(start..<start + needle.count)
                start += needle.count
            } else {
                start += 1
            }
        }
        return places
    }
}
