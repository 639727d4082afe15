import Testing
import TondoAvatars
import TondoImage

@testable import tondo

@Suite struct CropTextTests {
    /// A face in the middle of the left half of a photo of 4000 x 3000 pixels, 640 units of a pixel wide.
    private func record(_ reason: CropRecord.Reason, scores: [Int]) -> CropRecord {
        let faces = scores.enumerated().map { index, score in
            Face(
                origin: .init(x: (index * 1000 + 800) * 64, y: 1300 * 64), width: 400 * 64, height: (400 - index) * 64,
                score: score, landmarks: [Face.Point](repeating: .init(x: 0, y: 0), count: 5))
        }
        let square = PixelRectangle(x: 412, y: 96, width: 612, height: 612)
        return CropRecord(square: square, reason: reason, photo: (4000, 3000), faces: faces)
    }

    private func lines(_ reason: CropRecord.Reason, scores: [Int]) -> [String] {
        CropText.lines(of: CropReport(record(reason, scores: scores)))
    }

    @Test func `A face has its place in the photo and its score`() {
        #expect(
            lines(.face, scores: [931]) == [
                "face at 0.25, 0.50 of the photo, score 0.93; square 412,96 612x612 of 4000x3000"
            ])
        #expect(lines(.framed, scores: [1000])[0].hasPrefix("framed: face at 0.25, 0.50 of the photo, score 1.00; "))
    }

    @Test func `The largest face that is sure enough comes first, the others in lines of their own`() {
        #expect(
            lines(.face, scores: [690, 710, 800]) == [
                "face at 0.50, 0.50 of the photo, score 0.71; square 412,96 612x612 of 4000x3000",
                "another, at 0.25, 0.50 of the photo, score 0.69", "another, at 0.75, 0.50 of the photo, score 0.80",
            ])
    }

    @Test func `Without a face it is the centre`() {
        #expect(lines(.none, scores: []) == ["no face: centre; square 412,96 612x612 of 4000x3000"])
    }

    @Test func `A crop that was asked for is named`() throws {
        let geometry = try #require(PhotoGeometry(packed: 2 << 60 | 1 << 56 | 1 << 48 | 40 << 24 | 30))
        func line(_ style: Style.Crop, contact: CropRectangle? = nil) -> String {
            CropText.lines(of: CropReport(geometry, contact: contact, style: style))[0]
        }
        #expect(line(.centre) == "the centre; square 5,0 30x30 of 40x30")
        #expect(line(.top) == "the top; square 5,0 30x30 of 40x30")
        let crop = CropRectangle(x: 1, y: 2, width: 3, height: 3)
        #expect(line(.top, contact: crop) == "the contact's crop; square 1,25 3x3 of 40x30")
    }
}
