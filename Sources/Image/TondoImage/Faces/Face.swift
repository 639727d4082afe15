/// A face that the detector found. All lengths and places are in 1/64 pixel of the upright photo, from its upper left corner.
package struct Face: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        package var x: Int
        package var y: Int

        package init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// Parts of a pixel in one unit.
    package static let unitsPerPixel = 64

    /// The upper left corner of the box, which reaches from the forehead to the chin. It may lie outside of the photo.
    package var origin: Point
    package var width: Int
    package var height: Int
    /// How sure the detector is, in thousandths.
    package var score: Int
    /// The eyes, the tip of the nose and the corners of the mouth; the left one in the picture first.
    package var landmarks: [Point]

    package init(origin: Point, width: Int, height: Int, score: Int, landmarks: [Point]) {
        self.origin = origin
        self.width = width
        self.height = height
        self.score = score
        self.landmarks = landmarks
    }

    var centre: Point { Point(x: origin.x + width / 2, y: origin.y + height / 2) }

    /// Eyes and mouth are about where faces have them, also of a head that nods, and of one with its forehead hidden.
    var isPlausible: Bool {
        guard landmarks.count == 5, height > 0, width > 0 else { return false }
        let eyes = (landmarks[0].y + landmarks[1].y) / 2 - origin.y
        let mouth = (landmarks[3].y + landmarks[4].y) / 2 - origin.y - eyes
        return (height * 22...height * 54).contains(eyes * 100) && (height * 20...height * 50).contains(mouth * 100)
    }
}
