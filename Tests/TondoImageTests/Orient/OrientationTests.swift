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

    @Test(arguments: all)
    func `The stored rectangle shows the seen one`(_ orientation: Orientation) {
        let stored = (width: 7, height: 5)
        let seenSize = orientation.transposes ? (width: 5, height: 7) : stored
        let seen = PixelRectangle(x: 1, y: 2, width: 3, height: 2)
        let rectangle = orientation.stored(seen, in: stored)
        #expect(rectangle.x >= 0 && rectangle.x + rectangle.width <= stored.width)
        #expect(rectangle.y >= 0 && rectangle.y + rectangle.height <= stored.height)
        let whole = PixelRectangle(x: 0, y: 0, width: seenSize.width, height: seenSize.height)
        #expect(orientation.stored(whole, in: stored) == PixelRectangle(x: 0, y: 0, width: 7, height: 5))
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
    ])
    func `A crop beside the picture, or of no size, is none`(_ crop: CropRectangle) {
        #expect(crop.clamped(to: size) == nil)
    }
}
