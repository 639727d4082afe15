/// Converts filtered rows to literals and matches, a batch of rows at a time.
///
/// Most photographs have runs only. Where pixels repeat, the last occurrence of each is checked; if that finds many matches in
/// flat graphics, a second pass searches all occurrences with lazy matching.
struct DeflateTokenizer: ~Copyable {
    /// Bytes before and after the data in memory, as words are read past its ends.
    static let slack = 32

    // The following values are measured: the best ones for portraits of 48 to 256 pixels and for flat graphics.

    /// The share of repeated pixels, in 1/256, above which a batch of graphics is searched.
    private static let repeatsForSearch = 150
    /// The shortest runs of zeros and of one pixel that are used, in bytes.
    private static let shortestZeros = 7
    private static let shortestRun = 6
    /// Occurrences checked in a search.
    private static let searchDepth = 24
    // Prices in 1/8 bits: of a match, of each bit of its distance, of each byte of a long match as a literal; and the
    // additional savings that a match at the next pixel needs.
    private static let matchPrice = 80
    private static let distancePrice = 7
    private static let longPrice = 8
    /// The longest match whose bytes have their own prices.
    private static let longestSummed = 16
    private static let deferGain = 16

    private let bytes: UnsafePointer<UInt8>
    /// Bytes of a filtered row: the filter byte and the pixels.
    private let stride: Int
    private let content: DeflateContent
    private let finder: MatchFinder
    private var prices = LiteralPrices()
    /// The sequences of all batches since `drop`.
    let sequences: UnsafeMutablePointer<DeflateSequence>
    private(set) var sequenceCount = 0
    /// The start of the literals after the last sequence, and of their first whole pixel.
    private var literalStart = 0
    private var literalPhase = 1
    /// For a deep search: the prices of all bytes of the batch before each of them, from the first one on.
    private var priceSums: UnsafeMutablePointer<Int32>?
    /// The last match that a deep search found one pixel ahead, and where the literals began then.
    private var ahead = (at: -1, literalStart: 0, match: DeflateMatch.none)

    /// Tokenises `total` bytes of `content` in rows of `stride` at `bytes`; a block has at most `blockBytes`.
    init(bytes: UnsafePointer<UInt8>, total: Int, stride: Int, blockBytes: Int, content: DeflateContent) {
        self.content = content
        self.bytes = bytes
        self.stride = stride
        finder = MatchFinder(total: total)
        // A match has three bytes or more, and each batch, of at least a row, ends with one sequence of literals. The
        // batch after a full block is tokenised before that block is dropped.
        let batch = max(stride, DeflateEncoder.batchBytes)
        sequences = .allocate(capacity: (min(total, blockBytes) + batch) / 3 + total / stride + 64)
    }

    deinit {
        sequences.deallocate()
        priceSums?.deallocate()
    }

    /// Drops the first `count` sequences.
    mutating func drop(_ count: Int) {
        sequences.update(from: sequences + count, count: sequenceCount - count)
        sequenceCount -= count
    }

    /// Adds the sequences of whole rows and counts them.
    mutating func tokenize(_ batch: Range<Int>, into histogram: inout DeflateHistogram) {
        let before = sequenceCount
        histogram.reset()
        let repeats = prices.sample(bytes, batch: batch, stride: stride)
        if repeats < content.repeatsForMatching {
            _ = scan(batch, effort: .runs, into: &histogram)
        } else {
            let zeros = scan(batch, effort: .fast, into: &histogram)
            if content == .graphics, repeats > Self.repeatsForSearch || zeros &* 5 > batch.count &* 3 {
                sequenceCount = before
                histogram.reset()
                sumPrices(batch)
                _ = scan(batch, effort: .deep, into: &histogram)
            }
        }
        histogram.finish()
    }

    private mutating func sumPrices(_ batch: Range<Int>) {
        let sums = priceSums ?? .allocate(capacity: max(stride, DeflateEncoder.batchBytes) + 1)
        priceSums = sums
        var sum: Int32 = 0
        for index in 0..<batch.count {
            sums[index] = sum
            sum &+= Int32(prices.price(of: bytes[batch.lowerBound &+ index]))
        }
        sums[batch.count] = sum
        ahead.at = -1
    }

    /// One pass; returns the number of bytes in runs of zeros.
    @inline(__always)
    private mutating func scan(
        _ batch: Range<Int>, effort: MatchEffort, into histogram: inout DeflateHistogram
    ) -> Int {
        var cursor = PixelCursor(row: batch.lowerBound, stride: stride)
        literalStart = batch.lowerBound
        literalPhase = 1
        var zeros = 0
        // Literals are counted as the cursor passes them, and subtracted if a match extends back over them.
        histogram.count(byte: bytes[batch.lowerBound], times: 1)
        while cursor.at < batch.upperBound {
            let first = cursor.at
            let match = find(at: first, in: batch, effort: effort)
            if match.length == 0 {
                histogram.count(pixel: word(first).littleEndian)
                cursor.advance()
                if cursor.at != first &+ 4, cursor.at < batch.upperBound {
                    histogram.count(byte: bytes[cursor.at &- 1], times: 1)
                }
                continue
            }
            if match.distance == 1 { zeros &+= match.length }
            recordLiterals(upTo: match.start, from: first, into: histogram)
            emit(match, into: &histogram)
            let end = match.start &+ match.length
            cursor.skip(to: end)
            if effort == .fast, match.distance > 4 { insert(first: first, next: cursor.at) }
            literalStart = end
            literalPhase = min(cursor.at &- end, 3)
            recordLiterals(upTo: min(cursor.at, batch.upperBound), from: end, into: histogram)
        }
        emitLiterals(to: batch.upperBound)
        return zeros
    }

    /// Corrects the counts of literals from the cursor at `first` to `next`, a few bytes before or after.
    @inline(__always)
    private func recordLiterals(upTo next: Int, from first: Int, into histogram: borrowing DeflateHistogram) {
        var at = next
        while at < first {
            histogram.count(byte: bytes[at], times: -1)
            at &+= 1
        }
        at = first
        while at < next {
            histogram.count(byte: bytes[at], times: 1)
            at &+= 1
        }
    }

    /// The match to use at a pixel, or none.
    @inline(__always)
    private mutating func find(at: Int, in batch: Range<Int>, effort: MatchEffort) -> DeflateMatch {
        let pixel = word(at)
        if pixel == 0 {
            let run = zeroRun(at: at, in: batch)
            return run.length >= Self.shortestZeros ? run : .none
        }
        if effort == .fast { return probe(at, in: batch) }
        var best = DeflateMatch.none
        if at >= 5, pixel == word(at &- 4) {
            best = extend(at: at, distance: 4, in: batch)
            if best.length < Self.shortestRun { best = .none }
        }
        if effort == .runs { return best }
        return deeper(at: at, in: batch, run: best)
    }

    /// The match with the last occurrence of two pixels, or else of one, if it saves bits.
    ///
    /// The result is unpredictable, so everything is computed with a single branch.
    @inline(__always)
    private func probe(_ at: Int, in batch: Range<Int>) -> DeflateMatch {
        let here = long(at)
        let last = finder.insert(at: at, word: here)
        let pairDifference = here ^ long(last.pair)
        let pixelDifference = here ^ long(last.pixel)
        let pairFits = UInt32(truncatingIfNeeded: pairDifference) == 0
        let from = pairFits ? last.pair : last.pixel
        let difference = pairFits ? pairDifference : pixelDifference
        let distance = at &- from
        let ahead = difference.trailingZeroBitCount &>> 3
        // The room before the data makes eight bytes readable; none of them is matched.
        let back = min(
            (long(at &- 8) ^ long(from &- 8)).leadingZeroBitCount &>> 3, min(at &- literalStart, from))
        let price = prices.pixel(here) &+ back &* prices.zero &+ (ahead &- 4) &* prices.mean
        let far = 64 &- (distance &- 1).leadingZeroBitCount
        let saved = price &- Self.matchPrice &- far &* Self.distancePrice
        let fits = (ahead &- 4) | (DeflateSymbol.window &- distance) | (saved &- 1)
        if fits < 0 { return .none }
        if ahead < 8, at &+ ahead <= batch.upperBound {
            return DeflateMatch(start: at &- back, length: back &+ ahead, distance: distance)
        }
        return extend(at: at, distance: distance, in: batch)
    }

    /// The savings of coding a match instead of its bytes, in 1/8 bits.
    @inline(__always)
    private func gain(_ match: DeflateMatch, in batch: Range<Int>) -> Int {
        let far = 64 &- (match.distance &- 1).leadingZeroBitCount
        let cost = Self.matchPrice &+ far &* Self.distancePrice
        if match.length > Self.longestSummed { return match.length &* Self.longPrice &- cost }
        guard let priceSums else { return 0 }
        let start = match.start &- batch.lowerBound
        return Int(priceSums[start &+ match.length] &- priceSums[start]) &- cost
    }

    private mutating func deeper(at: Int, in batch: Range<Int>, run: DeflateMatch) -> DeflateMatch {
        // The search at the pixel before looked here already.
        let isKnown = ahead.at == at && ahead.literalStart == literalStart && run.length == 0
        let best = isKnown ? ahead.match : search(at: at, in: batch, run: run)
        let next = at &+ 4
        if best.length > 0, best.length < 64, next < batch.upperBound, word(next) != 0 {
            let later = search(at: next, in: batch, run: .none)
            if later.length > 0, gain(later, in: batch) > gain(best, in: batch) &+ Self.deferGain {
                ahead = (next, literalStart, later)
                return .none
            }
        }
        return best
    }

    private func search(at: Int, in batch: Range<Int>, run: DeflateMatch) -> DeflateMatch {
        var best = run
        var most = run.length > 0 ? gain(run, in: batch) : 0
        var from = at
        for _ in 0..<Self.searchDepth {
            let last = finder.before(from)
            if last == 0 || last >= from || at &- last > DeflateSymbol.window { break }
            from = last
            if word(at) != word(last) || isInside(best, distance: at &- last, in: batch) { continue }
            let match = extend(at: at, distance: at &- last, in: batch)
            let saved = gain(match, in: batch)
            if saved > most {
                best = match
                most = saved
            }
        }
        return best
    }

    /// Whether the match at this greater distance saves no more than `best`, since it has no byte that `best` has not. Only
    /// known where the bytes of `best` are summed: a longer one may save less than its parts.
    @inline(__always)
    private func isInside(_ best: DeflateMatch, distance: Int, in batch: Range<Int>) -> Bool {
        guard (1...Self.longestSummed).contains(best.length) else { return false }
        let (start, end) = (best.start, best.start &+ best.length)
        if end < batch.upperBound, bytes[end] == bytes[end &- distance] { return false }
        return start <= literalStart || start <= distance || bytes[start &- 1] != bytes[start &- 1 &- distance]
    }

    /// The match at `at` in both directions.
    @inline(__always)
    private func extend(at: Int, distance: Int, in batch: Range<Int>) -> DeflateMatch {
        var end = at &+ 4
        while end < batch.upperBound {
            let difference = long(end) ^ long(end &- distance)
            if difference != 0 {
                end &+= difference.trailingZeroBitCount &>> 3
                break
            }
            end &+= 8
        }
        end = min(end, batch.upperBound)
        var start = at
        while start > literalStart, start > distance, bytes[start &- 1] == bytes[start &- 1 &- distance] {
            start &-= 1
        }
        return DeflateMatch(start: start, length: end &- start, distance: distance)
    }

    /// The run of zeros at `at`, from its second byte on.
    @inline(__always)
    private func zeroRun(at: Int, in batch: Range<Int>) -> DeflateMatch {
        var start = at
        while start > literalStart, bytes[start &- 1] == 0 { start &-= 1 }
        if start == 0 || bytes[start &- 1] != 0 { start &+= 1 }
        var end = at &+ 4
        while end < batch.upperBound {
            let next = long(end)
            if next != 0 {
                end &+= next.trailingZeroBitCount &>> 3
                break
            }
            end &+= 8
        }
        end = min(end, batch.upperBound)
        return DeflateMatch(start: start, length: end &- start, distance: 1)
    }

    /// Adds the pixels inside a match to the finder.
    @inline(__always)
    private func insert(first: Int, next: Int) {
        var at = first &+ 4
        while at < next &- 4 {
            _ = finder.insert(at: at, word: long(at))
            at &+= 4
        }
    }

    @inline(__always)
    private mutating func emit(_ match: DeflateMatch, into histogram: inout DeflateHistogram) {
        var left = match.length
        var literals = match.start &- literalStart
        var phase = literalPhase
        while left > 0 {
            var part = min(left, DeflateSymbol.longestMatch)
            // The rest must be a match too: at least three bytes.
            if left > part, left &- part < 3 { part &-= 3 }
            histogram.count(length: part, distance: match.distance)
            append(literals: literals, phase: phase, length: part, distance: match.distance)
            left &-= part
            literals = 0
            phase = 0
        }
    }

    private mutating func emitLiterals(to end: Int) {
        guard end > literalStart else { return }
        append(literals: end &- literalStart, phase: literalPhase, length: 0, distance: 1)
    }

    @inline(__always)
    private mutating func append(literals: Int, phase: Int, length: Int, distance: Int) {
        sequences[sequenceCount] = DeflateSequence(
            literals: literals, phase: phase, length: length, distance: distance)
        sequenceCount &+= 1
    }

    @inline(__always)
    private func word(_ at: Int) -> UInt32 { UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt32.self) }

    @inline(__always)
    private func long(_ at: Int) -> UInt64 { UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self).littleEndian }
}
