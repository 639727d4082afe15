internal import CFaces
internal import Synchronization

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

/// Finds the faces in a photo with the network of a face model. Usable from any thread; two threads at once need twice the
/// memory of 1.5 MB, which is kept for the next photo. The same picture gives the same faces on every machine.
package final class FaceDetector: Sendable {
    /// The inner loops, which all give the same numbers.
    package enum Kernel: UInt32, CaseIterable, Sendable {
        case plain, sse2, avx2, avx512

        /// Those that this processor has.
        package static var available: [Kernel] {
            allCases.filter { cfaces_has_kernel(cfaces_kernel(rawValue: $0.rawValue)) != 0 }
        }
    }

    /// The longest side of what the network sees. A larger one finds smaller faces, and changes squares: it belongs to
    /// `FaceRule.version`.
    static let longestSide = Int(CFACES_LONGEST_SIDE)
    /// That of the first look, which costs a quarter, and finds the faces that fill a portrait.
    static let shortSide = longestSide / 2
    /// Pixels of the longest side of photos that are looked at twice: cameras take larger ones.
    private static let mostForFirstLook = 2_048
    /// In pixels of what the network sees: lower faces are found too seldom to rely on one.
    private static let leastHeight = 12

    private let model: FaceModel
    private let kernel: cfaces_kernel
    private let memory = Mutex(FreeMemory())

    /// `kernel`: nil: the fastest one.
    package init(_ model: FaceModel, kernel: Kernel? = nil) {
        self.model = model
        self.kernel = kernel.map { cfaces_kernel(rawValue: $0.rawValue) } ?? cfaces_best_kernel()
    }

    /// The plausible faces with a score of half or more, the surest first. `pixels`: the whole photo, stored and reduced;
    /// `photo`: the size of the upright photo in pixels; `longestSide`: of what the network sees, at most 256. Throws
    /// `outOfMemory`.
    package func faces(
        in pixels: Pixels, orientation: Orientation, photo: (width: Int, height: Int), longestSide: Int
    ) throws(ImageError) -> [Face] {
        let upright =
            orientation.transposes ? (width: pixels.height, height: pixels.width) : (pixels.width, pixels.height)
        let input = Self.reduced(upright, to: min(longestSide, Self.longestSide))
        let scratch = try takeMemory()
        defer { memory.withLock { $0.blocks.append(scratch) } }
        var picture = cfaces_picture(pixels, orientation: orientation)
        guard cfaces_fill(&picture, Int32(input.width), Int32(input.height), scratch) != 0 else { throw .outOfMemory }
        let outputs = UnsafeMutablePointer<UnsafePointer<Int16>?>.allocate(capacity: 3)
        defer { outputs.deallocate() }
        model.convolutions.withUnsafeBufferPointer {
            cfaces_run($0.baseAddress, Int32(input.width), Int32(input.height), scratch, kernel, outputs)
        }
        var found = FaceOutputs(width: input.width, height: input.height).faces(in: outputs)
        found.removeAll { !$0.isPlausible || $0.height < Self.leastHeight * Face.unitsPerPixel }
        return found.map { $0.scaled(from: input, to: photo) }
    }

    /// Where the square of a photo is. `pixels`: the whole photo, stored and reduced. Throws `outOfMemory`.
    package func record(of pixels: Pixels, header: ImageHeader) throws(ImageError) -> CropRecord {
        let photo = header.geometry.orientedSize
        func record(longestSide: Int) throws(ImageError) -> CropRecord {
            let faces = try faces(
                in: pixels, orientation: header.orientation, photo: photo, longestSide: longestSide)
            return FaceRule.record(of: faces, in: photo)
        }
        // Most small photos are portraits, which the face fills. Faces of its size, which are all that matter then, are found at
        // half of the size, too. In a large photo a second look would seldom be saved.
        let longSide = max(photo.width, photo.height)
        if longSide <= Self.mostForFirstLook {
            let first = try record(longestSide: Self.shortSide)
            let least = longSide / 4 * Face.unitsPerPixel
            if first.reason != .none, first.faces.contains(where: { $0.height >= least }) { return first }
        }
        return try record(longestSide: Self.longestSide)
    }

    /// The size in pixels of a picture with this longest side; never larger than the picture.
    private static func reduced(
        _ size: (width: Int, height: Int), to side: Int
    ) -> (width: Int, height: Int) {
        let long = max(size.width, size.height)
        guard long > side else { return size }
        return (max((size.width * side + long / 2) / long, 1), max((size.height * side + long / 2) / long, 1))
    }

    private func takeMemory() throws(ImageError) -> UnsafeMutableRawPointer {
        if let block = memory.withLock({ $0.blocks.popLast() }) { return block }
        guard let block = malloc(cfaces_scratch_size(CFACES_LONGEST_SIDE, CFACES_LONGEST_SIDE)) else {
            throw .outOfMemory
        }
        return block
    }
}

/// Memory that no thread uses.
private struct FreeMemory: ~Copyable {
    // Passed from thread to thread, one at a time.
    nonisolated(unsafe) var blocks: [UnsafeMutableRawPointer] = []

    deinit { for block in blocks { free(block) } }
}

extension cfaces_picture {
    fileprivate init(_ pixels: Pixels, orientation: Orientation) {
        let layout =
            switch pixels.layout {
            case .opaque: CFACES_OPAQUE
            case .straight: CFACES_STRAIGHT
            case .premultiplied: CFACES_PREMULTIPLIED
            case .cmyk: CFACES_CMYK
            }
        self.init(
            pixels: pixels.bytes, width: Int32(pixels.width), height: Int32(pixels.height), layout: layout,
            transposes: orientation.transposes ? 1 : 0, flips_x: orientation.flipsX ? 1 : 0,
            flips_y: orientation.flipsY ? 1 : 0)
    }
}

extension Face {
    /// This face where a pixel has another size.
    fileprivate func scaled(from input: (width: Int, height: Int), to photo: (width: Int, height: Int)) -> Face {
        func across(_ x: Int) -> Int { x * photo.width / input.width }
        func down(_ y: Int) -> Int { y * photo.height / input.height }
        return Face(
            origin: Point(x: across(origin.x), y: down(origin.y)), width: across(width), height: down(height),
            score: score, landmarks: landmarks.map { Point(x: across($0.x), y: down($0.y)) })
    }
}
