import Testing
import TondoImage

@testable import TondoAvatars

@Suite struct CropPictureTests {
    private func report(
        _ width: Int, _ height: Int, square: PixelRectangle? = nil, faces: [Face] = []
    ) -> CropReport {
        let side = min(width, height)
        let square = square ?? PixelRectangle(x: 0, y: 0, width: side, height: side)
        return CropReport(CropRecord(square: square, reason: .face, photo: (width, height), faces: faces))
    }

    private func pixel(_ picture: CropPicture, _ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * picture.width + x) * 4
        return Array(picture.pixels[start..<start + 4])
    }

    @Test(arguments: [(4032, 3024, 1024, 768), (3024, 4032, 768, 1024), (41, 30, 41, 30), (65_535, 1, 1024, 1)])
    func `The picture is the whole photo, smaller if it has to be`(
        _ width: Int, _ height: Int, _ across: Int, _ down: Int
    ) {
        let picture = CropPicture(report(width, height))
        #expect(picture.width == across && picture.height == down)
        #expect(picture.pixels.count == across * down * 4)
    }

    @Test func `Squares cover the photo, and count from the bottom as crops do`() {
        #expect(
            CropPicture(report(40, 100)).tiles == [
                .init(crop: CropRectangle(x: 0, y: 60, width: 40, height: 40), side: 40, x: 0, y: 0),
                .init(crop: CropRectangle(x: 0, y: 20, width: 40, height: 40), side: 40, x: 0, y: 40),
                .init(crop: CropRectangle(x: 0, y: 0, width: 40, height: 40), side: 40, x: 0, y: 60),
            ])
        #expect(
            CropPicture(report(4096, 2048)).tiles == [
                .init(crop: CropRectangle(x: 0, y: 0, width: 2048, height: 2048), side: 512, x: 0, y: 0),
                .init(crop: CropRectangle(x: 2048, y: 0, width: 2048, height: 2048), side: 512, x: 512, y: 0),
            ])
        #expect(CropPicture(report(41, 41)).tiles.count == 1)
        #expect(CropPicture(report(65_535, 1)).tiles.count == 32)
    }

    @Test func `The circle stays as it is, the rest is darker`() {
        let square = PixelRectangle(x: 50, y: 0, width: 100, height: 100)
        var picture = CropPicture(report(200, 100, square: square))
        picture.put(Canvas(side: 100, bytes: [UInt8](repeating: 200, count: 40_000)), x: 0, y: 0)
        let inside = pixel(picture, 90, 40)
        picture.explain()
        #expect(pixel(picture, 90, 40) == inside)
        #expect(pixel(picture, 10, 40)[0] == UInt8(Int(inside[0]) * 2 / 5))
        // The circle, and a side of the square.
        #expect(pixel(picture, 100, 0) == [255, 255, 255, 255] && pixel(picture, 50, 5) == [255, 255, 255, 255])
    }

    @Test func `Faces have boxes and landmarks, also those beyond the edge`() {
        let eye = Face.Point(x: 60 * 64, y: 50 * 64)
        let sure = Face(
            origin: .init(x: 40 * 64, y: 30 * 64), width: 40 * 64, height: 50 * 64, score: 900, landmarks: [eye])
        let unsure = Face(
            origin: .init(x: -20 * 64, y: 60 * 64), width: 40 * 64, height: 1 << 38, score: 600, landmarks: [])
        var picture = CropPicture(report(100, 100, faces: [sure, unsure]))
        picture.explain()
        #expect(pixel(picture, 40, 50) == pixel(picture, 60, 50) && pixel(picture, 40, 50) != pixel(picture, 50, 50))
        #expect(pixel(picture, 19, 80) != pixel(picture, 40, 50) && pixel(picture, 19, 80) != pixel(picture, 17, 80))
    }
}
