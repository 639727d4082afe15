import FoundationEssentials
import TondoImage

extension PreviewProtocol {
    /// Characters of base64 in one escape code of kitty's, at most.
    static let kittyPiece = 4096

    /// The bytes that draw an avatar at the cursor, which stays on the image's last row: a line feed moves it below. Throws
    /// if the pixels of something that is not an image are needed.
    func encode(_ avatar: [UInt8]) throws(RenderError) -> [UInt8] {
        let png = try Self.png(avatar)
        let text = Data(png).base64EncodedString()
        return switch self {
        case .kitty: Self.kittyCodes(Array(text.utf8))
        case .iterm2: Array("\u{1B}]1337;File=inline=1;size=\(png.count);preserveAspectRatio=1:\(text)\u{07}".utf8)
        }
    }

    /// f=100: a PNG, a=T: display at once, q=2: no response, m=1: more pieces follow.
    private static func kittyCodes(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: kittyPiece) {
            let end = min(start + kittyPiece, text.count)
            bytes += "\u{1B}_G\(start == 0 ? "f=100,a=T," : "")q=2,m=\(end < text.count ? 1 : 0);".utf8
            bytes += text[start..<end]
            bytes += "\u{1B}\\".utf8
        }
        return bytes
    }

    /// Terminals promise to read PNG alone.
    private static func png(_ avatar: [UInt8]) throws(RenderError) -> [UInt8] {
        if avatar.withUnsafeBytes({ ImageKind($0) }) == .png { return avatar }
        let canvas = try avatar.withUnsafeBufferPointer { bytes throws(RenderError) in
            try Canvas(showing: Photo(UnsafeRawBufferPointer(bytes)), longestSide: Style.sizes.upperBound)
        }
        return PNGEncoder.encode(pixels: canvas.bytes, width: canvas.side, height: canvas.side)
    }
}
