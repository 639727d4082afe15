/// Rewrites a PNG so that libpng draws what is wanted: one with a damaged end or strange chunks, or the first frame of an animation.
///
///     signature  IHDR  [PLTE, tRNS, colours, ...]  IDAT  IEND
enum PlainPNG {
    /// The signature, all chunks before the picture data, these in one chunk, and IEND. Checksums of data chunks are not
    /// checked: the zlib stream has its own, which covers the pixels.
    static func bytes(_ bytes: UnsafeRawBufferPointer, header: ImageHeader) throws(ImageError) -> [UInt8] {
        var (output, data) = (Array(bytes.prefix(8)), [UInt8]())
        let most = PNGImageData.limit(for: CgBI.unpackedLimit(header))
        var parts = Parts(bytes: bytes, details: header.png)
        while let part = parts.next() {
            switch part {
            case .data(let payload):
                guard data.count + payload.count <= most else { throw .corrupt("IDAT: more data than the image needs") }
                data.append(contentsOf: payload)
            case .chunk(let chunk): append(chunk, frame: header.png.frame, to: &output)
            }
        }
        output += PNGChunk.bytes(type: PNGChunk.imageData, data: data)
        output += PNGChunk.bytes(type: PNGChunk.imageEnd, data: [])
        return output
    }

    /// A chunk as it is, damage included; IHDR with the size of the frame.
    private static func append(_ chunk: PNGChunks.Chunk, frame: PNGFrame?, to output: inout [UInt8]) {
        if chunk.type == PNGChunk.imageHeader, chunk.isIntact, chunk.payload.count == 13, let frame {
            let size = PNGChunk.bigEndian(frame.rectangle.width) + PNGChunk.bigEndian(frame.rectangle.height)
            output += PNGChunk.bytes(type: chunk.type, data: size + chunk.payload.dropFirst(8))
            return
        }
        output += PNGChunk.bigEndian(chunk.payload.count)
        output += chunk.checked
        output += PNGChunk.bigEndian(chunk.checksum)
    }

    private enum Part {
        case chunk(PNGChunks.Chunk)
        case data(UnsafeRawBufferPointer.SubSequence)
    }

    /// What is kept of a file, in order.
    private struct Parts {
        private var chunks: PNGChunks
        private let isFrame: Bool
        private let omitted: Set<UInt32>
        /// Data began, of the default image.
        private var isBehindHead = false
        /// Controls of frames so far.
        private var controls = 0
        private var isAtEnd = false

        init(bytes: UnsafeRawBufferPointer, details: PNGDetails) {
            chunks = PNGChunks(bytes)
            isFrame = details.frame != nil
            omitted = details.omitted
        }

        mutating func next() -> Part? {
            while !isAtEnd, let chunk = chunks.next() {
                if let part = part(chunk) { return part }
            }
            guard !isAtEnd else { return nil }
            isAtEnd = true
            // The file may end within its data, of which the rows so far are wanted.
            guard let cut = chunks.cut else { return nil }
            return data(of: cut.type, payload: cut.payload)
        }

        private mutating func part(_ chunk: PNGChunks.Chunk) -> Part? {
            switch chunk.type {
            case PNGChunk.imageEnd: isAtEnd = true
            case PNGChunk.frameControl:
                if isBehindHead { controls += 1 }
                // The first frame ends where the second one begins.
                if isFrame, controls > 1 { isAtEnd = true }
            case PNGChunk.animationControl, PNGChunk.frameData, PNGChunk.imageData:
                if chunk.type == PNGChunk.imageData { isBehindHead = true }
                return data(of: chunk.type, payload: chunk.payload)
            default: if !isBehindHead, !omitted.contains(chunk.type) { return .chunk(chunk) }
            }
            return nil
        }

        /// Data of a frame begin with a number of four bytes.
        private func data(of type: UInt32, payload: UnsafeRawBufferPointer) -> Part? {
            if isFrame { return type == PNGChunk.frameData && controls == 1 ? .data(payload.dropFirst(4)) : nil }
            return type == PNGChunk.imageData ? .data(payload[...]) : nil
        }
    }
}
