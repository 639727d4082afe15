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
    /// That of the first look, which costs a seventh, and finds the faces that fill a portrait.
    static let shortSide = 96
    /// That of a closer look at a part of the photo, where a face is 32 pixels high.
    static let closerSide = 128
    /// Pixels of the longest side of photos that are looked at twice: cameras take larger ones.
    private static let mostForFirstLook = 2_048
    /// In pixels of what the network sees: lower faces are found too seldom to rely on one.
    private static let leastHeight = 12
    /// A picture full of eyes and mouths must not cost much more than others.
    private static let mostCloserLooks = 4
    /// The sum of the scores of two looks, in thousandths, neither of which is sure.
    private static let leastOfTwo = 1_350

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
        let view = FaceView(pixels, orientation: orientation, photo: photo)
        return try look(at: view, longestSide: min(longestSide, Self.longestSide)).filter(\.isLikely)
    }

    /// Where the square of a photo is. `pixels`: the whole photo, stored and reduced. Throws `outOfMemory`.
    package func record(of pixels: Pixels, header: ImageHeader) throws(ImageError) -> CropRecord {
        let photo = header.geometry.orientedSize
        let view = FaceView(pixels, orientation: header.orientation, photo: photo)
        // Most small photos are portraits, which the face fills. Faces of its size, which are all that matter then, are found at
        // less than half of the size, too. In a large photo a second look would seldom be saved.
        let longSide = max(photo.width, photo.height)
        if longSide <= Self.mostForFirstLook {
            let first = try look(at: view, longestSide: Self.shortSide)
            let least = longSide / 4 * Face.unitsPerPixel
            if first.contains(where: { $0.isSure && $0.height >= least }) {
                return FaceRule.record(of: first.filter(\.isLikely), in: photo)
            }
        }
        let faces = try look(at: view, longestSide: Self.longestSide)
        return FaceRule.record(of: try lookCloser(at: faces, in: view), in: photo)
    }

    /// The plausible faces with any score, the surest first.
    private func look(at view: FaceView, longestSide: Int) throws(ImageError) -> [Face] {
        let input = view.input(longestSide: longestSide)
        let scratch = try takeMemory()
        defer { memory.withLock { $0.blocks.append(scratch) } }
        var picture = view.picture
        guard cfaces_fill(&picture, Int32(input.width), Int32(input.height), scratch) != 0 else { throw .outOfMemory }
        let outputs = UnsafeMutablePointer<UnsafePointer<Int16>?>.allocate(capacity: 3)
        defer { outputs.deallocate() }
        model.convolutions.withUnsafeBufferPointer {
            cfaces_run($0.baseAddress, Int32(input.width), Int32(input.height), scratch, kernel, outputs)
        }
        var found = FaceOutputs(width: input.width, height: input.height).faces(in: outputs)
        found.removeAll { !$0.isPlausible || $0.height < Self.leastHeight * Face.unitsPerPixel }
        return found.map { view.inPhoto($0, from: input) }
    }

    /// These faces, after a closer look at those that are unsure and large enough to be shown: in a square four times as high,
    /// small and dark faces become sure, and most of what only resembles a face is none any more. The surest first.
    private func lookCloser(at faces: [Face], in view: FaceView) throws(ImageError) -> [Face] {
        var highest = faces.filter(\.isSure).map(\.height).max() ?? 0
        var looks = Self.mostCloserLooks
        var result: [Face] = []
        for face in faces {
            guard !face.isSure, looks > 0, FaceRule.isPeer(face.height, of: highest) else {
                if face.isLikely { result.append(face) }
                continue
            }
            looks -= 1
            let seen = try look(at: view.part(around: face), longestSide: Self.closerSide)
            guard var confirmed = seen.first(where: { $0.isAbout(face) }),
                confirmed.isSure || confirmed.score + face.score >= Self.leastOfTwo
            else { continue }
            confirmed.score = max(confirmed.score, face.score)
            highest = max(highest, confirmed.height)
            if !result.contains(where: { $0.isAbout(confirmed) }) { result.append(confirmed) }
        }
        return result.enumerated().sorted {
            $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
        }.map(\.element)
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

/// A part of a photo that the network sees.
private struct FaceView {
    /// The whole photo, stored and reduced.
    private let pixels: Pixels
    private let orientation: Orientation
    /// The upright photo in pixels.
    private let photo: (width: Int, height: Int)
    /// That size in pixels of `pixels`.
    private let size: (width: Int, height: Int)
    /// Pixels of `pixels`, upright.
    private var part: PixelRectangle

    /// All of it.
    init(_ pixels: Pixels, orientation: Orientation, photo: (width: Int, height: Int)) {
        self.pixels = pixels
        self.orientation = orientation
        self.photo = photo
        size = orientation.transposes ? (pixels.height, pixels.width) : (pixels.width, pixels.height)
        part = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// The part of a square four times as high as a face, with the face in the middle, that lies in the photo.
    func part(around face: Face) -> FaceView {
        func range(_ centre: Int, _ reach: Int, extent: Int) -> (start: Int, count: Int) {
            let start = min(max((centre - reach) / Face.unitsPerPixel, 0), extent - 1)
            let end = min((centre + reach) / Face.unitsPerPixel + 1, extent)
            return (start, max(end - start, 1))
        }
        let columns = range(
            face.centre.x * size.width / photo.width, face.height * 2 * size.width / photo.width, extent: size.width)
        let rows = range(
            face.centre.y * size.height / photo.height, face.height * 2 * size.height / photo.height,
            extent: size.height)
        var view = self
        view.part = PixelRectangle(x: columns.start, y: rows.start, width: columns.count, height: rows.count)
        return view
    }

    /// The size of the network's input. A small picture is not enlarged, a part of one is. Means of whole pixels take two
    /// thirds of the time of others: they are worth up to a sixteenth of the side.
    func input(longestSide side: Int) -> (width: Int, height: Int) {
        let long = max(part.width, part.height)
        let isWhole = part.width == size.width && part.height == size.height
        guard long > side || !isWhole else { return (part.width, part.height) }
        let pixels = (long + side - 1) / side
        let wanted = long * 16 >= side * pixels * 15 ? long / pixels : side
        func scaled(_ length: Int) -> Int { max((length * wanted + long / 2) / long, 1) }
        return (scaled(part.width), scaled(part.height))
    }

    var picture: cfaces_picture {
        let layout =
            switch pixels.layout {
            case .opaque: CFACES_OPAQUE
            case .straight: CFACES_STRAIGHT
            case .premultiplied: CFACES_PREMULTIPLIED
            case .cmyk: CFACES_CMYK
            }
        let stored = orientation.stored(part, in: (pixels.width, pixels.height))
        return cfaces_picture(
            pixels: pixels.bytes + (stored.y * pixels.width + stored.x) * 4, width: Int32(stored.width),
            height: Int32(stored.height), stride: Int32(pixels.width), layout: layout,
            transposes: orientation.transposes ? 1 : 0, flips_x: orientation.flipsX ? 1 : 0,
            flips_y: orientation.flipsY ? 1 : 0)
    }

    /// A face in the photo, from where it is in the input.
    func inPhoto(_ face: Face, from input: (width: Int, height: Int)) -> Face {
        func across(_ length: Int) -> Int { length * part.width * photo.width / (input.width * size.width) }
        func down(_ length: Int) -> Int { length * part.height * photo.height / (input.height * size.height) }
        let left = part.x * Face.unitsPerPixel * photo.width / size.width
        let top = part.y * Face.unitsPerPixel * photo.height / size.height
        return Face(
            origin: Face.Point(x: left + across(face.origin.x), y: top + down(face.origin.y)),
            width: across(face.width), height: down(face.height), score: face.score,
            landmarks: face.landmarks.map { Face.Point(x: left + across($0.x), y: top + down($0.y)) })
    }
}

extension Face {
    /// It needs no closer look.
    fileprivate var isSure: Bool { score >= 750 }
    /// It keeps another one company.
    fileprivate var isLikely: Bool { score >= 500 }

    /// Has about its size and its place.
    fileprivate func isAbout(_ other: Face) -> Bool {
        let offset = max(abs(centre.x - other.centre.x), abs(centre.y - other.centre.y))
        return offset * 2 < other.height && height < other.height * 2 && height * 2 > other.height
    }
}
