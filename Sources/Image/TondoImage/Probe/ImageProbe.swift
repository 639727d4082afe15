extension ImageHeader {
    /// Reads the header of a photo. Its allocations do not grow with the picture.
    package init(probing bytes: UnsafeRawBufferPointer) throws(ImageError) {
        guard bytes.count > 0 else { throw .empty }
        let kind = ImageKind(bytes)
        if let refusal = kind.refusal { throw refusal }
        self =
            switch kind {
            case .png: try PNGHeader.read(bytes)
            case .gif: try GIFHeader.read(bytes)
            case .webp: try WebPHeader.read(bytes)
            case .heif: try HEIFHeader.read(bytes)
            default: try JPEGHeader.read(bytes)
            }
    }
}
