import FoundationEssentials

/// The kitty graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol): the PNG in base64, in pieces of escape
/// codes.
enum KittyEncoder {
    /// Characters of base64 in one piece, at most.
    static let piece = 4096

    /// f=100: a PNG, a=T: display at once, q=2: no response, m=1: more pieces follow.
    static func encode(_ png: [UInt8]) -> [UInt8] {
        let text = Array(Data(png).base64EncodedString().utf8)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: max(text.count, 1), by: piece) {
            let end = min(start + piece, text.count)
            bytes += "\u{1B}_G\(start == 0 ? "f=100,a=T," : "")q=2,m=\(end < text.count ? 1 : 0);".utf8
            bytes += text[start..<end]
            bytes += "\u{1B}\\".utf8
        }
        return bytes
    }
}
