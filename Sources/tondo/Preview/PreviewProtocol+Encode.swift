import TondoImage

extension PreviewProtocol {
    /// The bytes that draw a square PNG at the cursor, which stays on the image's last row: a line feed moves it below.
    /// Throws if sixel needs the pixels of something that is not an image.
    func encode(_ png: [UInt8]) throws(RenderError) -> [UInt8] {
        switch self {
        case .kitty: KittyEncoder.encode(png)
        case .iterm2: ITermEncoder.encode(png)
        case .sixel: try SixelEncoder.encode(png)
        }
    }
}
