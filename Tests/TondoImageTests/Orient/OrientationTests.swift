import Testing

@testable import TondoImage

@Suite struct OrientationTests {
    private static let all = (1...8).compactMap { Orientation(rawValue: $0) }

    /// Where each corner of the stored square (0 1 / 2 3) is seen (Exif 3.0 section 4.6.5.1.4).
    @Test(
        arguments: zip(
            all,
            [
                [0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1], [0, 2, 1, 3], [2, 0, 3, 1], [3, 1, 2, 0],
                [1, 3, 0, 2],
            ]))
    func `A square is turned as EXIF says`(_ orientation: Orientation, seen: [Int]) {
        #expect(orientation.apply(to: [0, 1, 2, 3], side: 2) == seen)
    }

    /// 3 x 2 pixels at (0, 1) of the picture as it is seen, 7 x 5 or 5 x 7 pixels.
    @Test(
        arguments: zip(
            all,
            [
                PixelRectangle(x: 0, y: 1, width: 3, height: 2), PixelRectangle(x: 4, y: 1, width: 3, height: 2),
                PixelRectangle(x: 4, y: 2, width: 3, height: 2), PixelRectangle(x: 0, y: 2, width: 3, height: 2),
                PixelRectangle(x: 1, y: 0, width: 2, height: 3), PixelRectangle(x: 1, y: 2, width: 2, height: 3),
                PixelRectangle(x: 4, y: 2, width: 2, height: 3), PixelRectangle(x: 4, y: 0, width: 2, height: 3),
            ]))
    func `The stored rectangle shows the seen one`(_ orientation: Orientation, stored: PixelRectangle) {
        let seen = PixelRectangle(x: 0, y: 1, width: 3, height: 2)
        #expect(orientation.stored(seen, in: (width: 7, height: 5)) == stored)
    }

    @Test(arguments: all)
    func `The whole picture is the whole picture, however it is turned`(_ orientation: Orientation) {
        let (width, height) = orientation.transposes ? (5, 7) : (7, 5)
        let whole = PixelRectangle(x: 0, y: 0, width: width, height: height)
        #expect(
            orientation.stored(whole, in: (width: 7, height: 5)) == PixelRectangle(x: 0, y: 0, width: 7, height: 5))
    }

    @Test func `The centre square leaves an odd rest at the right and below`() {
        let square = PixelRectangle(x: 0, y: 0, width: 10, height: 5).centreSquare
        #expect(square == PixelRectangle(x: 2, y: 0, width: 5, height: 5))
    }
}

@Suite struct CropRectangleTests {
    private let size = (width: 100, height: 80)

    @Test func `A contact's crop counts from the bottom`() {
        let crop = CropRectangle(x: 10, y: 0, width: 20, height: 30).clamped(to: size)
        #expect(crop == PixelRectangle(x: 10, y: 50, width: 20, height: 30))
    }

    @Test func `A crop that sticks out is cut`() {
        let crop = CropRectangle(x: -10, y: -5, width: 200, height: 50).clamped(to: size)
        #expect(crop == PixelRectangle(x: 0, y: 35, width: 100, height: 45))
    }

    @Test(arguments: [
        CropRectangle(x: 100, y: 0, width: 5, height: 5), CropRectangle(x: 0, y: 80, width: 5, height: 5),
        CropRectangle(x: 0, y: 0, width: 0, height: 5), CropRectangle(x: .max, y: .min, width: .max, height: .max),
        CropRectangle(x: .min, y: 0, width: 9, height: 9),
    ])
    func `A crop beside the picture, or of no size, is none`(_ crop: CropRectangle) {
        #expect(crop.clamped(to: size) == nil)
    }
}
