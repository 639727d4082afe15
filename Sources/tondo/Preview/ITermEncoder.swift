import FoundationEssentials

/// iTerm2's inline images (iterm2.com/documentation-images.html): the PNG in base64, in one escape code.
enum ITermEncoder {
    static func encode(_ png: [UInt8]) -> [UInt8] {
        let text = Data(png).base64EncodedString()
        return Array("\u{1B}]1337;File=inline=1;size=\(png.count);preserveAspectRatio=1:\(text)\u{07}".utf8)
    }
}
