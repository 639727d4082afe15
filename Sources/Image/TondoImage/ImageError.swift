/// Why a photo gives no avatar. Every case has a stable `code` for scripts and a reason for humans.
package enum ImageError: Error, Equatable, Sendable {
    /// There are no bytes.
    case empty
    /// The bytes are an image in an unsupported format; the text names it ("BMP image").
    case unsupported(String)
    /// The bytes are not an image, or not a known one ("text file"). Its code is `unsupported`, too.
    case notAnImage(String)
    /// The bytes end before the picture does.
    case truncated(String)
    /// The bytes break their format's rules.
    case corrupt(String)
    /// The header declares more pixels than the limits permit.
    case tooLarge(String)
    /// Decoding would need `needed` bytes, `Int.max` for an unknown number; the limit is `limit` bytes.
    case overMemory(needed: Int, limit: Int)
    /// No font has this character (a Unicode scalar) of initials; 0: there is no font.
    case missingGlyph(UInt32)
    /// Initials are to be drawn with other fonts than those of the process that draws: they changed since it, or the one that
    /// asks, was started.
    case otherFonts
    /// A JPEG with more scans, or more work in scans, than any real picture has.
    case tooManyScans
    /// The system is out of memory; a retry later may work.
    case outOfMemory
    /// The process that decoded the photo ended, or gave no valid answer; the text is the reason.
    case decoderCrashed(String)
    /// The process that decoded the photo was ended at its deadline.
    case timedOut
    /// No process that decodes could be started, for the reason of the text. Not a fault of the photo.
    case noDecoder(String)

    /// Stable over versions: scripts and negative entries depend on it.
    package var code: String {
        switch self {
        case .empty: "empty"
        case .unsupported, .notAnImage: "unsupported"
        case .truncated: "truncated"
        case .corrupt: "corrupt"
        case .tooLarge: "tooLarge"
        case .overMemory: "overMemory"
        case .tooManyScans: "tooManyScans"
        case .missingGlyph: "no-glyph"
        case .otherFonts: "other-fonts"
        case .outOfMemory: "outOfMemory"
        case .decoderCrashed: "decoder-crashed"
        case .timedOut: "timeout"
        case .noDecoder: "no-decoder"
        }
    }
}

extension ImageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "empty file"
        case .unsupported(let what), .notAnImage(let what): "unsupported: \(what)"
        case .truncated(let why): "truncated: \(why)"
        case .corrupt(let why): "corrupt: \(why)"
        case .tooLarge(let why): "too large: \(why)"
        case .overMemory(.max, let limit):
            "over memory: decoding needs more than the limit of \(Self.amount(limit)) allows"
        case .overMemory(let needed, let limit):
            "over memory: decoding needs about \(Self.amount(needed)), the limit is \(Self.amount(limit))"
        case .tooManyScans: "too many scans"
        case .missingGlyph(let scalar): "no font has U+\(Self.hexadecimal(scalar))"
        case .otherFonts: "the fonts changed while tondo ran; try again in a minute"
        case .outOfMemory: "out of memory"
        case .decoderCrashed(let why): "the decoder crashed: \(why)"
        case .timedOut: "took too long"
        case .noDecoder(let why): "no sandboxed decoder: \(why)"
        }
    }

    private static func hexadecimal(_ scalar: UInt32) -> String {
        let digits = String(scalar, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func amount(_ bytes: Int) -> String {
        bytes < 10_000_000 ? "\((bytes + 999) / 1000) kB" : "\((bytes + 999_999) / 1_000_000) MB"
    }
}

/// The stages of one avatar that can fail, in their order.
package enum Stage: String, Sendable {
    case probe, limits, decode
}

/// An `ImageError` and its stage.
package struct RenderError: Error, Equatable, Sendable, CustomStringConvertible {
    /// An error of `probe` gets no negative entry: finding it again costs less than remembering it.
    package let stage: Stage
    package let error: ImageError

    package init(stage: Stage, error: ImageError) {
        self.stage = stage
        self.error = error
    }

    package var description: String { error.description }
}
