import Testing
import TondoTestSupport

@testable import TondoImage

/// Where the square of a photo is, for given faces.
@Suite struct FaceRuleTests {
    /// A face with its middle at this place; pixels.
    private func face(_ x: Int, _ y: Int, height: Int, score: Int = 900) -> Face {
        let unit = Face.unitsPerPixel
        let width = height * 4 / 5
        return Face(
            origin: Face.Point(x: (x - width / 2) * unit, y: (y - height / 2) * unit), width: width * unit,
            height: height * unit, score: score,
            landmarks: Array(repeating: Face.Point(x: x * unit, y: y * unit), count: 5))
    }

    private func record(_ faces: [Face], width: Int, height: Int) -> CropRecord {
        FaceRule.record(of: faces, in: (width, height))
    }

    @Test func `Without a face it is the centre square`() {
        let record = record([], width: 641, height: 480)
        #expect(record.reason == .none)
        #expect(record.square == PixelRectangle(x: 80, y: 0, width: 480, height: 480))
    }

    @Test func `A face of which the detector is not sure does not move it`() {
        #expect(record([face(100, 100, height: 80, score: 699)], width: 640, height: 480).reason == .none)
        #expect(record([face(100, 100, height: 80, score: 700)], width: 640, height: 480).reason == .face)
    }

    @Test func `A portrait that shows the face well stays as it is`() {
        let record = record([face(150, 140, height: 120)], width: 301, height: 300)
        #expect(record.reason == .framed)
        #expect(record.square == PixelRectangle(x: 0, y: 0, width: 300, height: 300))
    }

    @Test func `A small face is enlarged, with its eyes above the middle`() {
        let square = record([face(500, 300, height: 100)], width: 1_000, height: 1_000).square
        #expect((219...236).contains(square.width))
        #expect(abs(square.x + square.width / 2 - 500) <= 9 && abs(square.y + square.height / 2 - 300) <= 9)
    }

    @Test func `A face at the edge stays in the circle, and the square in the photo`() {
        let square = record([face(45, 300, height: 100)], width: 1_000, height: 800).square
        #expect(square.x == 0 && abs(square.y + square.height / 2 - 300) <= 13)
        // The outline is 5 pixels from the edge at its left.
        #expect(Double(square.width) / 2 - 5 <= 0.97 * Double(square.width) / 2)
    }

    @Test func `A whole figure in portrait format is shown with its head`() {
        let record = record([face(300, 90, height: 70)], width: 600, height: 900)
        #expect(record.reason == .face)
        #expect(record.square.y <= 30 && record.square.width < 300)
    }

    @Test func `Two people of one size are shown together`() {
        let square = record([face(300, 300, height: 120), face(500, 310, height: 110)], width: 800, height: 800).square
        #expect(square.x < 240 && square.x + square.width > 560)
    }

    @Test func `A much smaller face in the background does not count`() {
        let alone = record([face(300, 300, height: 120)], width: 900, height: 700)
        let record = record([face(300, 300, height: 120), face(700, 300, height: 60)], width: 900, height: 700)
        #expect(record.square == alone.square)
    }

    @Test func `People who fit into no circle together are not all shown, but the largest is whole`() {
        let square = record([face(150, 200, height: 120), face(1_400, 200, height: 110)], width: 1_600, height: 400)
            .square
        #expect(square.x <= 90 && square.x + square.width >= 210 && square.x + square.width < 1_000)
    }

    @Test func `An almost centred square is the centre square`() {
        let record = record([face(205, 190, height: 176)], width: 400, height: 400)
        #expect(record.reason == .framed)
        #expect(record.square.width == 400)
    }

    /// The crown and the chin of most people, from the middle of the box.
    private func showsHead(_ square: PixelRectangle, x: Int, y: Int, height: Int) -> Bool {
        let radius = square.width / 2
        return [y - height * 80 / 100, y + height / 2].allSatisfy { end in
            let (across, down) = (x - square.x - radius, end - square.y - radius)
            return across * across + down * down <= radius * radius
        }
    }

    @Test(arguments: [100, 120, 140, 160, 180, 200, 220])
    func `A face that fills the photo keeps its hair, where the photo has it`(_ height: Int) {
        let square = record([face(150, 250, height: height)], width: 300, height: 500).square
        #expect(showsHead(square, x: 150, y: 250, height: height))
    }

    @Test func `Hair is worth a small step from the centre`() {
        let record = record([face(150, 190, height: 200)], width: 300, height: 400)
        #expect(record.reason == .face)
        #expect(showsHead(record.square, x: 150, y: 190, height: 200))
    }

    @Test func `Hair at the edge of the photo is shown, with a larger square`() {
        let square = record([face(60, 100, height: 100)], width: 1_000, height: 800).square
        #expect(showsHead(square, x: 60, y: 100, height: 100))
    }

    @Test func `A head in the middle is enlarged to a third of the circle, and more`() {
        #expect(record([face(150, 150, height: 92)], width: 300, height: 300).reason == .face)
        #expect(record([face(150, 150, height: 94)], width: 300, height: 300).reason == .framed)
    }

    @Test func `Of several people who do not fit, those are shown who fill a circle most`() {
        let three = [face(200, 300, height: 100), face(330, 300, height: 100), face(460, 300, height: 100)]
        let square = record(three + [face(1_400, 200, height: 110)], width: 1_600, height: 600).square
        #expect(square.x <= 150 && square.x + square.width >= 510)
    }

    @Test func `A surer face is shown rather than one that is a little larger`() {
        let faces = [face(300, 300, height: 100, score: 920), face(1_300, 300, height: 120, score: 790)]
        let square = record(faces, width: 1_600, height: 600).square
        #expect(square.x < 250 && square.x + square.width > 350)
    }

    @Test func `Of people of about one size far from each other, the one in the middle is shown`() {
        let row = [face(150, 200, height: 124), face(800, 200, height: 120), face(1_450, 200, height: 124)]
        let square = record(row, width: 1_600, height: 400).square
        #expect(square.x < 740 && square.x + square.width > 860)
    }

    @Test func `The square is never so small that a usual avatar is enlarged much`() {
        #expect(record([face(500, 300, height: 30)], width: 1_000, height: 1_000).square.width >= 156)
        #expect(record([face(100, 60, height: 20)], width: 200, height: 200).square.width >= 96)
        #expect(record([face(30, 30, height: 20)], width: 90, height: 60).square.width == 60)
    }

    @Test func `The order of the faces does not matter`() {
        let faces = [face(300, 300, height: 120), face(500, 310, height: 110), face(420, 620, height: 100)]
        let squares = [[0, 1, 2], [2, 1, 0], [1, 0, 2]].map { order in
            record(order.map { faces[$0] }, width: 800, height: 800).square
        }
        #expect(Set(squares).count == 1)
    }

    @Test func `Every square lies in the photo, whatever the faces are`() {
        var random = SplitMix64(36)
        let extremes = [Int(1) << 40, -(1 << 40), 0, 1, -1]
        for _ in 0..<3_000 {
            let width = Int.random(in: 1...[2, 50, 5_000, 65_500].randomElement(using: &random)!, using: &random)
            let height = Int.random(in: 1...[2, 50, 5_000, 65_500].randomElement(using: &random)!, using: &random)
            let faces = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                var face = face(
                    Int.random(in: -100...width + 100, using: &random), Int.random(in: -100...height, using: &random),
                    height: Int.random(in: 0...height * 2, using: &random),
                    score: Int.random(in: 500...1_000, using: &random))
                if Int.random(in: 0..<10, using: &random) == 0 { face.height = extremes.randomElement(using: &random)! }
                if Int.random(in: 0..<10, using: &random) == 0 {
                    face.origin.x = extremes.randomElement(using: &random)!
                }
                return face
            }
            let square = record(faces, width: width, height: height).square
            #expect(square.width == square.height && square.width >= 1)
            #expect(square.x >= 0 && square.x + square.width <= width)
            #expect(square.y >= 0 && square.y + square.height <= height)
        }
    }
}
