import Testing
import TondoTestSupport

@testable import TondoImage

/// What the detector finds in drawn pictures.
@Suite(.enabled(if: FaceModels.isThere, FaceModels.advice)) struct FaceDetectorTests {
    private let model: FaceModel

    init() throws { model = try FaceModels.model() }

    @Test func `All kernels give the same faces`() throws {
        let scenes = [DrawnScene(.trio, number: 1), DrawnScene(.placed, number: 2), DrawnScene(.pet, number: 3)]
        for scene in scenes {
            let found = try FaceDetector.Kernel.available.map { kernel in
                try FaceDetector(model, kernel: kernel).faces(in: scene.stored(), of: scene)
            }
            #expect(found[0].count == scene.faces.count)
            #expect(Set(found).count == 1)
        }
    }

    @Test(arguments: 1...8)
    func `A turned photo has the same faces as an upright one`(_ orientation: Int) throws {
        let scene = DrawnScene(.placed, number: 4)
        let detector = FaceDetector(model)
        let orientation = try #require(Orientation(rawValue: orientation))
        let found = try detector.faces(in: scene.stored(orientation), orientation: orientation, of: scene)
        #expect(try found == detector.faces(in: scene.stored(), of: scene))
    }

    /// A picture whose face only a closer look makes sure.
    private func unsureScene(_ detector: FaceDetector) throws -> DrawnScene {
        try #require(
            (0..<DrawnScene.Kind.turned.count).map { DrawnScene(.turned, number: $0) }.first { scene in
                try detector.faces(in: scene.stored(), of: scene).allSatisfy { $0.score < FaceRule.leastScore }
                    && detector.record(of: scene.stored(), header: scene.header()).reason != .none
            })
    }

    @Test func `A closer look shows the same face, with every kernel and however the photo is turned`() throws {
        let detector = FaceDetector(model)
        let scene = try unsureScene(detector)
        let expected = try detector.record(of: scene.stored(), header: scene.header())
        let face = try #require(expected.faces.first)
        #expect(scene.faces[0].isAbout(face))
        for kernel in FaceDetector.Kernel.available {
            let other = FaceDetector(model, kernel: kernel)
            #expect(try other.record(of: scene.stored(), header: scene.header()) == expected)
        }
        for orientation in try (1...8).map({ try #require(Orientation(rawValue: $0)) }) {
            let stored = scene.stored(orientation)
            #expect(try detector.record(of: stored, header: scene.header(orientation)) == expected)
        }
    }

    @Test func `What is transparent is gray, and colours count with their alpha`() throws {
        let scene = DrawnScene(.framed, number: 1)
        let detector = FaceDetector(model)
        let opaque = try detector.faces(in: scene.stored(), of: scene)
        for layout in [Pixels.Layout.straight, .premultiplied] {
            #expect(try detector.faces(in: scene.stored(layout: layout), of: scene) == opaque)
        }
        let hidden = scene.stored(layout: .straight)
        for pixel in 0..<hidden.width * hidden.height { hidden.bytes[pixel * 4 + 3] = 0 }
        #expect(try detector.faces(in: hidden, of: scene).isEmpty)
    }

    @Test func `Inks give about the same faces as colours`() throws {
        let scene = DrawnScene(.framed, number: 2)
        let inks = scene.stored(layout: .cmyk)
        for pixel in 0..<inks.width * inks.height {
            for channel in 0..<3 { inks.bytes[pixel * 4 + channel] = 255 - inks.bytes[pixel * 4 + channel] }
            inks.bytes[pixel * 4 + 3] = 0
        }
        let detector = FaceDetector(model)
        #expect(try detector.faces(in: inks, of: scene) == detector.faces(in: scene.stored(), of: scene))
    }

    @Test(arguments: [(1, 1), (1, 300), (300, 1), (5_000, 3), (33, 31), (256, 256), (257, 255)])
    func `A picture of any size is searched`(_ width: Int, _ height: Int) throws {
        let pixels = try Pixels(transparent: width, height: height)
        pixels.layout = .opaque
        let faces = try FaceDetector(model).faces(
            in: pixels, orientation: .up, photo: (width, height), longestSide: FaceDetector.longestSide)
        #expect(faces.isEmpty)
    }

    @Test func `Noise and extremes end no process`() throws {
        let detector = FaceDetector(model)
        var random = SplitMix64(5)
        for round in 0..<6 {
            let pixels = try Pixels(transparent: 96, height: 64)
            pixels.layout = .opaque
            for byte in 0..<pixels.count {
                pixels.bytes[byte] =
                    round < 3 ? UInt8.random(in: 0...255, using: &random) : Bool.random(using: &random) ? 255 : 0
            }
            _ = try detector.faces(in: pixels, orientation: .up, photo: (96, 64), longestSide: 256)
        }
    }

    /// The shares of the faces that are found in a third of the pictures, with a little room below what is measured.
    @Test(arguments: [
        (kinds: [DrawnScene.Kind.framed, .placed, .figure, .pair, .trio, .group, .glasses, .beard, .baby], least: 97),
        ([.turned, .gray, .hat, .mask], 92), ([.dark], 80), ([.landscape, .object, .pet, .pattern, .logo], 100),
    ])
    func `The faces of drawn people are found, and none where there is none`(
        _ kinds: [DrawnScene.Kind], _ least: Int
    ) throws {
        let detector = FaceDetector(model)
        var labels = 0
        var found = 0
        for (kind, number) in DrawnScene.set where kinds.contains(kind) && number % 3 == 0 {
            let scene = DrawnScene(kind, number: number)
            let faces = try detector.faces(in: scene.stored(), of: scene).filter { $0.score >= 700 }
            labels += scene.faces.count
            found += scene.faces.filter { label in faces.contains { label.isAbout($0) } }.count
            #expect(faces.allSatisfy { face in scene.faces.contains { $0.isAbout(face) } }, "\(kind) \(number)")
        }
        #expect(found * 100 >= least * labels)
    }
}

extension FaceDetector {
    fileprivate func faces(
        in pixels: Pixels, orientation: Orientation = .up, of scene: DrawnScene
    ) throws(ImageError) -> [Face] {
        try faces(
            in: pixels, orientation: orientation, photo: (scene.width, scene.height), longestSide: Self.longestSide)
    }
}

extension DrawnFace {
    /// The middle of the box is within a quarter of its height.
    fileprivate func isAbout(_ face: Face) -> Bool {
        let unit = Float(Face.unitsPerPixel)
        let across = (Float(face.origin.x) + Float(face.width) / 2) / unit - (box.x + box.width / 2)
        let down = (Float(face.origin.y) + Float(face.height) / 2) / unit - (box.y + box.height / 2)
        return max(abs(across), abs(down)) < box.height / 4
    }
}

extension DrawnScene {
    fileprivate func header(_ orientation: Orientation = .up) -> ImageHeader {
        let size = orientation.transposes ? (width: height, height: width) : (width: width, height: height)
        var header = ImageHeader(format: .png, width: size.width, height: size.height)
        header.orientation = orientation
        return header
    }

    /// As a file with this orientation has it.
    func stored(_ orientation: Orientation = .up, layout: Pixels.Layout = .opaque) -> Pixels {
        let size = orientation.transposes ? (width: height, height: width) : (width: width, height: height)
        guard let stored = try? Pixels(transparent: size.width, height: size.height) else {
            preconditionFailure("no memory for a small picture")
        }
        stored.layout = layout
        for y in 0..<size.height {
            for x in 0..<size.width {
                let column = orientation.flipsX ? size.width - 1 - x : x
                let row = orientation.flipsY ? size.height - 1 - y : y
                let seen = orientation.transposes ? column * width + row : row * width + column
                for channel in 0..<4 { stored.bytes[(y * size.width + x) * 4 + channel] = pixels[seen * 4 + channel] }
            }
        }
        return stored
    }
}
