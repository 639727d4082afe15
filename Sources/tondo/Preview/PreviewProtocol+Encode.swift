import TondoImage

extension PreviewProtocol {
    /// The bytes that draw an avatar at the cursor, which stays on the image's last row: a line feed moves it below. Throws
    /// if the pixels of something that is not an image are needed.
    func encode(_ avatar: [UInt8]) throws(RenderError) -> [UInt8] {
        switch self {
        case .kitty: KittyEncoder.encode(try Self.png(avatar))
        case .iterm2: ITermEncoder.encode(try Self.png(avatar))
        case .sixel: try SixelEncoder.encode(avatar)
        }
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
