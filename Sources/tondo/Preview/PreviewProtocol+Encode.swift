import TondoImage

extension PreviewProtocol {
    /// What to write to the terminal to show a square PNG at the cursor, which is then left on the picture's last row: a
    /// line feed leads below it. Throws when sixel wants the pixels of something that is no picture.
    func encode(_ png: [UInt8]) throws(RenderError) -> [UInt8] {
        switch self {
        case .kitty: KittyEncoder.encode(png)
        case .iterm2: ITermEncoder.encode(png)
        case .sixel: try SixelEncoder.encode(png)
        }
    }
}
