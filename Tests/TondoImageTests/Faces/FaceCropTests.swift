import Testing
import TondoTestSupport

@testable import TondoImage

/// What the circle shows of drawn people: the labels tell where faces and heads are.
@Suite(.enabled(if: FaceModels.isThere, FaceModels.advice)) struct FaceCropTests {
    /// Of all pictures of some kinds with one person, or one that is largest.
    private struct Outcome {
        var pictures = 0
        /// A part of the face is outside of the circle.
        var cutFaces = 0
        /// The crown is outside, and the photo has room above it.
        var cutCrowns = 0
        /// The head has less than 35 % of the circle's diameter.
        var smallHeads = 0
        /// The centre square shows the face whole, and the square of the faces does not.
        var worse = 0

        mutating func add(_ scene: DrawnScene, detector: FaceDetector) throws {
            let square = try scene.square(by: detector)
            let head = scene.faces[0]
            let isCut = !head.isWhole(in: square)
            let room = head.crown.y - (head.chin.y - head.crown.y) * 0.1
            pictures += 1
            cutFaces += isCut ? 1 : 0
            cutCrowns += room > 0 && !square.circleHolds(head.crown) ? 1 : 0
            smallHeads += (head.chin.y - head.crown.y) < 0.35 * Float(square.width) ? 1 : 0
            worse += isCut && head.isWhole(in: scene.centre) ? 1 : 0
        }
    }

    private let detector: FaceDetector

    init() throws { detector = FaceDetector(try FaceModels.model()) }

    private func outcome(_ kinds: [DrawnScene.Kind]) throws -> Outcome {
        var outcome = Outcome()
        for kind in kinds {
            for number in 0..<kind.count { try outcome.add(DrawnScene(kind, number: number), detector: detector) }
        }
        return outcome
    }

    @Test func `One person's face is whole, and the head large`() throws {
        let outcome = try outcome([.framed, .placed, .figure, .turned, .glasses, .beard, .baby, .hat])
        #expect(outcome.cutFaces * 200 <= outcome.pictures)
        #expect(outcome.cutCrowns * 100 <= outcome.pictures)
        #expect(outcome.smallHeads * 100 <= outcome.pictures)
        #expect(outcome.worse == 0)
    }

    @Test func `Also of a face in the dark, in gray or behind a mask`() throws {
        let outcome = try outcome([.dark, .gray, .mask])
        #expect(outcome.cutFaces * 100 <= outcome.pictures * 4)
        #expect(outcome.cutCrowns * 100 <= outcome.pictures * 4)
        #expect(outcome.smallHeads * 100 <= outcome.pictures * 4)
        #expect(outcome.worse == 0)
    }

    @Test func `The largest face of a group is whole`() throws {
        let outcome = try outcome([.group])
        #expect(outcome.cutFaces == 0 && outcome.worse == 0)
    }

    @Test(arguments: [DrawnScene.Kind.pair, .trio])
    func `A circle shows the largest of several people whole, and most often all`(_ kind: DrawnScene.Kind) throws {
        var all = 0
        for number in 0..<kind.count {
            let scene = DrawnScene(kind, number: number)
            let square = try scene.square(by: detector)
            #expect(scene.faces.contains { $0.isWhole(in: square) }, "\(number)")
            all += scene.faces.allSatisfy { $0.isWhole(in: square) } ? 1 : 0
        }
        #expect(all * 2 >= kind.count)
    }

    @Test(arguments: [DrawnScene.Kind.landscape, .object, .pattern, .logo, .pet])
    func `A picture without a face keeps its centre`(_ kind: DrawnScene.Kind) throws {
        for number in 0..<kind.count {
            let scene = DrawnScene(kind, number: number)
            #expect(try scene.crop(by: detector).square == scene.centre, "\(number)")
        }
    }

    @Test func `A portrait that is framed well keeps its centre, to the pixel`() throws {
        for number in 0..<DrawnScene.Kind.framed.count {
            let scene = DrawnScene(.framed, number: number)
            let crop = try scene.crop(by: detector)
            #expect(crop.square == scene.centre && crop.reason == .framed, "\(number)")
        }
    }

    @Test func `An avatar shows the square that its text names`() throws {
        let scene = DrawnScene(.figure, number: 3)
        let png = PNGEncoder.encode(pixels: scene.pixels, width: scene.width, height: scene.height)
        var face = Style(size: 64)
        face.crop = .face
        var shown: [UInt8] = []
        let info = try png.withUnsafeBytes { photo in
            try AvatarRenderer(styles: [face], faces: detector).encode(
                Photo(photo), styles: [0], text: { _ in (keyword: "tondo-recipe", value: "x") },
                body: { avatar, _ in shown = avatar })
        }
        let record = try #require(info.crop)
        #expect(record.reason == .face)
        #expect(shown.withUnsafeBytes { AvatarText.value(of: CropRecord.keyword, in: $0) } == record.text)
        let square = scene.cut(record.square)
        let cut = PNGEncoder.encode(pixels: square, width: record.square.width, height: record.square.width)
        let expected = try cut.withUnsafeBytes { try AvatarRenderer(styles: [Style(size: 64)]).draw(Photo($0)) }
        let drawn = try png.withUnsafeBytes { try AvatarRenderer(styles: [face], faces: detector).draw(Photo($0)) }
        #expect(drawn.canvases[0].bytes == expected.canvases[0].bytes)
    }

    /// Only as much of a file is decoded for the centre as the centre needs.
    @Test(arguments: Fixture.all(in: "broken"))
    func `A damaged photo is drawn by its face if it is by its centre`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes
        let isDrawn = [Style.Crop.centre, .face].map { crop in
            var style = Style(size: 32)
            style.crop = crop
            return bytes.withUnsafeBytes { photo in
                (try? AvatarRenderer(styles: [style], faces: detector).draw(Photo(photo))) != nil
            }
        }
        #expect(isDrawn[0] == isDrawn[1])
    }

    @Test func `The crop of the contact goes before the face`() throws {
        let scene = DrawnScene(.figure, number: 3)
        let png = PNGEncoder.encode(pixels: scene.pixels, width: scene.width, height: scene.height)
        let crop = CropRectangle(x: 10, y: 10, width: 60, height: 60)
        let canvases = try [Style.Crop.face, .centre].map { crop in
            var style = Style(size: 64)
            style.crop = crop
            return style
        }.map { style in
            try png.withUnsafeBytes { bytes in
                try AvatarRenderer(styles: [style], faces: detector).draw(Photo(bytes, crop: crop)).canvases[0].bytes
            }
        }
        #expect(canvases[0] == canvases[1])
    }
}

extension DrawnScene {
    fileprivate var centre: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height).centreSquare }

    fileprivate func crop(by detector: FaceDetector) throws(ImageError) -> CropRecord {
        try detector.record(of: stored(), header: ImageHeader(format: .png, width: width, height: height))
    }

    /// The square in a photo of this picture at four times its size, as a scaled decode gives it: squares of photos as small as
    /// the picture are larger, for their pixels' sake.
    fileprivate func square(by detector: FaceDetector) throws(ImageError) -> PixelRectangle {
        let header = ImageHeader(format: .jpeg, width: width * 4, height: height * 4)
        let square = try detector.record(of: stored(), header: header).square
        return PixelRectangle(x: square.x / 4, y: square.y / 4, width: square.width / 4, height: square.width / 4)
    }

    /// The pixels of a square.
    fileprivate func cut(_ square: PixelRectangle) -> [UInt8] {
        var result: [UInt8] = []
        for y in square.y..<square.y + square.height {
            let start = (y * width + square.x) * 4
            result += pixels[start..<start + square.width * 4]
        }
        return result
    }
}

extension DrawnFace {
    /// The outline of the face, without hair, lies in the circle of a square. The detector's boxes differ by some percent.
    fileprivate func isWhole(in square: PixelRectangle) -> Bool {
        let directions: [(Float, Float)] = [
            (0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7),
        ]
        for (x, y) in directions {
            let across: Float = box.x + box.width * (0.5 + 0.47 * x)
            let down: Float = box.y + box.height * (0.5 + 0.47 * y)
            if !square.circleHolds((across, down)) { return false }
        }
        return true
    }
}

extension PixelRectangle {
    fileprivate func circleHolds(_ place: (x: Float, y: Float)) -> Bool {
        let radius = Float(width) / 2
        let across = place.x - Float(x) - radius
        let down = place.y - Float(y) - radius
        return across * across + down * down <= radius * radius
    }
}
