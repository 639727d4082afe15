/// Which part of a photo an avatar with the crop `face` shows, and why. Its text is in the file of the avatar.
package struct CropRecord: Hashable, Sendable {
    /// Why the square is where it is.
    package enum Reason: String, CaseIterable, Sendable {
        /// It was moved to the faces.
        case face
        /// The centre square shows the faces well.
        case framed
        /// No face was found: the centre square.
        case none
    }

    /// Pixels of the upright photo.
    package var square: PixelRectangle
    package var reason: Reason
    /// The size of the upright photo in pixels.
    package var width: Int
    package var height: Int
    /// The surest first, at most `mostFaces`.
    package var faces: [Face]

    package static let mostFaces = 16
    /// The keyword of the text.
    package static let keyword = "tondo-crop"
    /// Bytes of the longest text.
    package static let longestText = 4_096

    package init(square: PixelRectangle, reason: Reason, photo: (width: Int, height: Int), faces: [Face]) {
        self.square = square
        self.reason = reason
        width = photo.width
        height = photo.height
        self.faces = Array(faces.prefix(Self.mostFaces))
    }
}

extension CropRecord {
    /// On one line: the reason, the square and the photo; then each face: its score, its box and its landmarks.
    package var text: String {
        let numbers = [square.x, square.y, square.width, width, height]
        let lists = faces.map { face in
            [face.score, face.origin.x, face.origin.y, face.width, face.height]
                + face.landmarks.flatMap { [$0.x, $0.y] }
        }
        return ([reason.rawValue, Self.text(of: numbers)] + lists.map(Self.text)).joined(separator: " ")
    }

    private static func text(of numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }

    /// Nil unless `text` gives exactly this text: it may come from a process in the hands of a photo's author.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longestText else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 2, words.count <= 2 + Self.mostFaces, let reason = Reason(rawValue: String(words[0]))
        else {
            return nil
        }
        let lists = words.dropFirst().map { $0.split(separator: ",", maxSplits: 15).compactMap { Int($0) } }
        let numbers = lists[0]
        guard numbers.count == 5, lists.dropFirst().allSatisfy({ $0.count == 15 }),
            lists.joined().allSatisfy({ $0.magnitude < 1 << 40 })
        else { return nil }
        let faces = lists.dropFirst().map { Face($0) }
        let square = PixelRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[2])
        self.init(square: square, reason: reason, photo: (numbers[3], numbers[4]), faces: faces)
        let isInside =
            square.x >= 0 && square.y >= 0 && square.width > 0 && square.x + square.width <= width
            && square.y + square.height <= height
        // Other writings of the same numbers are none of its own.
        guard isInside, self.text == text else { return nil }
    }
}

extension Face {
    fileprivate init(_ numbers: [Int]) {
        self.init(
            origin: Point(x: numbers[1], y: numbers[2]), width: numbers[3], height: numbers[4], score: numbers[0],
            landmarks: (0..<5).map { Point(x: numbers[5 + 2 * $0], y: numbers[6 + 2 * $0]) })
    }
}
