extension ImageHeader {
    /// Reads the header of a photo. Allocates nothing that grows with the picture.
    package init(probing bytes: UnsafeRawBufferPointer) throws(ImageError) {
        guard bytes.count > 0 else { throw .empty }
        switch ImageKind(bytes) {
        case .jpeg: self = try JPEGHeader.read(bytes)
        case .png: self = try PNGHeader.read(bytes)
        case .other(let name): throw .unsupported(name)
        }
    }
}
