/// Remembers the positions of pixels: by the bytes of a pixel, and by those of two.
///
/// Only whole pixels are looked up: pictures repeat in pixels, and that is a quarter of the work.
struct MatchFinder: ~Copyable {
    /// Positions kept in `previous`: those of 64 KB, the window and a batch.
    private static let ringMask = 16_383

    /// 64 minus the bits of a hash.
    private let shift: UInt64
    /// The last position of a hash of seven bytes, 0 for none (no pixel is there: it is a filter byte).
    private let pairs: UnsafeMutablePointer<UInt32>
    /// The last position of a hash of four bytes.
    private let pixels: UnsafeMutablePointer<UInt32>
    /// The position before with the same hash of four bytes, by position / 4.
    private let previous: UnsafeMutablePointer<UInt32>

    /// A finder for `total` bytes.
    init(total: Int) {
        var bits: UInt64 = 8
        while bits < 12, 4 &<< bits < total { bits += 1 }
        shift = 64 - bits
        pairs = .allocate(capacity: 1 &<< bits)
        pairs.initialize(repeating: 0, count: 1 &<< bits)
        pixels = .allocate(capacity: 1 &<< bits)
        pixels.initialize(repeating: 0, count: 1 &<< bits)
        let ring = min(Self.ringMask + 1, total / 4 + 1)
        previous = .allocate(capacity: ring)
        previous.initialize(repeating: 0, count: ring)
    }

    deinit {
        pairs.deallocate()
        pixels.deallocate()
        previous.deallocate()
    }

    /// Adds the position `at`, with the bytes `word`; returns the last ones of the same two pixels and of the same
    /// pixel, according to the hashes, or 0.
    @inline(__always)
    func insert(at: Int, word: UInt64) -> (pair: Int, pixel: Int) {
        // Without the second pixel's alpha, which is often part of a longer match anyway.
        let pair = Int(truncatingIfNeeded: ((word &<< 8) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        let pixel = Int(truncatingIfNeeded: ((word &<< 32) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        // A hash has as many bits as the tables have; `at / 4` is bounded by the mask or by the total.
        let last = (Int(pairs[pair]), Int(pixels[pixel]))
        pairs[pair] = UInt32(truncatingIfNeeded: at)
        pixels[pixel] = UInt32(truncatingIfNeeded: at)
        previous[at &>> 2 & Self.ringMask] = UInt32(truncatingIfNeeded: last.1)
        return last
    }

    /// The position before `at` with the same pixel, or 0. Stale for positions that were not added: check it.
    @inline(__always)
    func before(_ at: Int) -> Int { Int(previous[at &>> 2 & Self.ringMask]) }
}

/// What a picture shows: whether a search for matches is worth its time.
enum DeflateContent {
    case photo
    /// Few colours, as in icons and initials.
    case graphics

    /// The share of repeated pixels in a batch, in 1/256, above which matches are used.
    var repeatsForMatching: Int {
        switch self {
        // Measured with portraits of 64 to 256 pixels: matches took half of the time, and made 1 and 2 % less of the bytes. From 78
        // on, one had more than 105 % of libpng's bytes.
        case .photo: 75
        case .graphics: 22
        }
    }
}

/// The effort of the search for matches in a batch.
enum MatchEffort {
    /// Runs only: photographs with noise have no repetitions.
    case runs
    /// The last occurrence of a pixel, and of two.
    case fast
    /// Many occurrences, with lazy matching at the next pixel.
    case deep
}

/// A stretch of bytes that occurred before (RFC 1951 section 3.2.3).
struct DeflateMatch {
    /// Offset of the first byte.
    var start: Int
    /// Bytes, not limited to 258: longer ones are coded as several.
    var length: Int
    /// The distance back in bytes.
    var distance: Int

    static var none: Self { Self(start: 0, length: 0, distance: 1) }
}
