/// Where the square of a photo with faces is. Whole numbers only: the same faces give the same square everywhere.
///
/// Around one face, the smallest square with room for hair and shoulders; of several, the smallest whose circle holds their
/// heads. A photo whose centre square shows the faces well keeps it, to the pixel.
package enum FaceRule {
    /// Part of the keys of avatars. Incremented for every change of the detector, of its model, or of this rule.
    package static let version = 2
    /// One face with this score moves the square, in thousandths. Others keep it company with less.
    package static let leastScore = 700
    /// Photos of a class have more: some are shown.
    private static let mostPeers = 8

    /// `size`: of the upright photo in pixels, at least 1 each.
    package static func record(of faces: [Face], in size: (width: Int, height: Int)) -> CropRecord {
        let scene = FaceScene(width: size.width, height: size.height)
        let heads = faces.map { scene.head($0) }
        let shown = company(in: scene, of: heads)
        let square = shown.isEmpty || isFramed(shown, in: scene) ? nil : scene.square(for: shown)
        let reason: CropRecord.Reason = shown.isEmpty ? .none : square == nil ? .framed : .face
        let centre = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height).centreSquare
        return CropRecord(
            square: square.map { scene.pixels(of: $0) } ?? centre, reason: reason, photo: size, faces: faces)
    }

    /// It is not much lower: those stand in the background.
    static func isPeer(_ height: Int, of other: Int) -> Bool { height * 10 >= other * 6 }

    /// The largest face, and those of about its size, if one circle holds their heads; else those of them that fill a circle
    /// most. A surer face counts as a larger one.
    private static func company(in scene: FaceScene, of heads: [FaceScene.Head]) -> [FaceScene.Head] {
        let sorted = heads.sorted { $0.weight > $1.weight }
        guard let largest = sorted.first(where: { $0.score >= leastScore }) else { return [] }
        let peers = sorted.filter { isPeer($0.height, of: largest.height) && isPeer(largest.height, of: $0.height) }
            .prefix(mostPeers)
        var best: [FaceScene.Head] = []
        var most = -1
        for first in peers where first.score >= leastScore {
            var shown = [first]
            for other in peers.sorted(by: { $0.distance(to: first) < $1.distance(to: first) }).dropFirst() {
                if scene.smallestSquare(holding: shown + [other]) != nil { shown.append(other) }
            }
            let worth = scene.worth(of: shown)
            if worth > most {
                most = worth
                best = shown.sorted { $0.weight > $1.weight }
            }
            if shown.count == peers.count { break }
        }
        return best
    }

    /// The centre square shows them whole, large enough, and one of them near the middle.
    private static func isFramed(_ heads: [FaceScene.Head], in scene: FaceScene) -> Bool {
        let side = FaceScene.shortSide
        guard heads.allSatisfy({ scene.centre.holds($0.ellipse) }) else { return false }
        guard heads.count == 1 else { return heads[0].height * 100 >= side * 22 }
        let offset = heads[0].x - scene.centre.x - side / 2
        return heads[0].height * 100 >= side * 31 && offset.magnitude <= side / 8
    }
}

/// A photo with its faces, in a unit of its own.
struct FaceScene {
    /// All lengths are in this part of the short side.
    static let shortSide = 1024
    /// Squares have whole steps.
    static let step = shortSide / 64

    let width: Int
    let height: Int
    private let photo: (width: Int, height: Int)
    /// The short side in pixels.
    private var pixels: Int { max(min(photo.width, photo.height), 1) }
    /// Farther places are as far: sums of squares must not overflow.
    private static let farthest = 1 << 17

    /// Pixels.
    init(width: Int, height: Int) {
        photo = (width, height)
        let short = max(min(width, height), 1)
        self.width = min(width * Self.shortSide / short, Self.farthest)
        self.height = min(height * Self.shortSide / short, Self.farthest)
    }

    /// The box of a face around its centre.
    struct Head {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let score: Int

        /// Its area, four times as large for a score of 900 as for one of 700.
        var weight: Int { width * height * ((score - 500) * (score - 500) / 1_000) }

        /// Squared.
        func distance(to other: Head) -> Int {
            (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
        }
        /// Face and hair.
        var ellipse: Ellipse {
            Ellipse(x: x, y: y - height * 15 / 100, across: width * 60 / 100, down: height * 65 / 100)
        }
        /// Without the hair.
        var face: Ellipse { Ellipse(x: x, y: y, across: width / 2, down: height / 2) }
    }

    func head(_ face: Face) -> Head {
        func units(_ length: Int) -> Int {
            let units = length * Self.shortSide / (pixels * Face.unitsPerPixel)
            return min(max(units, -Self.farthest), Self.farthest)
        }
        return Head(
            x: units(face.centre.x), y: units(face.centre.y), width: units(face.width), height: units(face.height),
            score: face.score)
    }

    struct Ellipse {
        let x: Int
        let y: Int
        /// Half of its width.
        let across: Int
        /// Half of its height.
        let down: Int

        /// The cosine of 0, 1/16, 2/16... of a right angle times two, in 1/1024.
        private static let cosines = [1024, 1004, 946, 851, 724, 569, 392, 200, 0]

        /// The square of the distance from a point to the farthest of 32 points of the outline.
        func farthest(fromX centreX: Int, y centreY: Int) -> Int {
            var result = 0
            for index in Self.cosines.indices {
                // The farthest point of a quadrant that is mirrored lies away from the centre.
                let cosine = Self.cosines[index]
                let sine = Self.cosines[Self.cosines.count - 1 - index]
                let right = abs(x - centreX) + across * cosine / 1024
                let below = abs(y - centreY) + down * sine / 1024
                result = max(result, right * right + below * below)
            }
            return result
        }
    }

    struct Square {
        let x: Int
        let y: Int
        let side: Int

        /// The circle in the square holds the outline.
        func holds(_ ellipse: Ellipse) -> Bool { overshoot(of: ellipse) <= side * side }

        /// Twice the distance from the centre to the farthest point of the outline, squared: at most `side` squared if the circle
        /// holds it.
        func overshoot(of ellipse: Ellipse) -> Int {
            4 * ellipse.farthest(fromX: x + side / 2, y: y + side / 2)
        }
    }

    /// The square of photos without faces.
    var centre: Square {
        Square(x: (width - Self.shortSide) / 2, y: (height - Self.shortSide) / 2, side: Self.shortSide)
    }
}

extension FaceScene {
    /// How much the faces show together; a fifth less at the edge of the photo than in the middle.
    func worth(of heads: [Head]) -> Int {
        let weight = heads.reduce(0) { $0 + $1.weight }
        let offset = heads.reduce(0) { $0 + abs($1.x - width / 2) + abs($1.y - height / 2) } / heads.count
        return weight * (1_000 - 400 * min(offset, width + height) / (width + height))
    }

    /// Nil: the centre square is as good, or almost.
    func square(for heads: [Head]) -> Square? {
        let square = heads.count == 1 ? square(around: heads[0]) : smallestSquare(holding: heads)
        guard let square, square.side >= Self.step * 61 else { return square }
        // A little hair that is cut is worth a small step.
        let most = heads.allSatisfy { centre.holds($0.ellipse) } ? Self.step * 3 : Self.step
        return abs(square.x - centre.x) <= most && abs(square.y - centre.y) <= most ? nil : square
    }

    /// From 2.2 times the height of the face, where the eyes are at 45 % of the circle and the hair is whole, to half as much
    /// again, if the edge of the photo keeps it from having the face in the middle: the first that holds face and hair, or at
    /// least the face.
    private func square(around head: Head) -> Square {
        let least = leastSide(for: head)
        var best = place(least, around: head)
        var holdsFace = false
        for side in stride(from: least, through: min(least * 3 / 2, Self.shortSide), by: Self.step) {
            let square = place(side, around: head)
            let overshoot = square.overshoot(of: head.face)
            // Within 0.97 of the radius.
            if overshoot * 10_000 <= side * side * 9_409 {
                if square.holds(head.ellipse) { return square }
                if !holdsFace { best = square }
                holdsFace = true
            } else if !holdsFace,
                overshoot * best.side * best.side < best.overshoot(of: head.face) * side * side
            {
                best = square
            }
        }
        return best
    }

    /// With the face in the middle. A square that is too small for its hair is higher, as far as the chin stays in the circle.
    private func place(_ side: Int, around head: Head) -> Square {
        let missing = head.height * 85 / 100 + side * 6 / 100 - side / 2
        let room = side * 97 / 200 - head.height / 2
        let rise = max(min(missing, room, head.height * 15 / 100), 0)
        return place(side, aroundX: head.x, y: head.y - rise)
    }

    /// Nil: no square of the photo holds them all.
    func smallestSquare(holding heads: [Head]) -> Square? {
        let left = heads.map { $0.x - $0.width * 60 / 100 }.min() ?? 0
        let right = heads.map { $0.x + $0.width * 60 / 100 }.max() ?? 0
        let top = heads.map { $0.y - $0.height * 80 / 100 }.min() ?? 0
        let bottom = heads.map { $0.y + $0.height / 2 }.max() ?? 0
        let lowered = (top + bottom) / 2 + heads[0].height / 10
        for side in stride(from: leastSide(for: heads[0]), through: Self.shortSide, by: Self.step) {
            let square = place(side, aroundX: (left + right) / 2, y: lowered)
            if heads.allSatisfy({ square.holds($0.ellipse) }) { return square }
        }
        return nil
    }

    /// At least ten steps, and the 96 pixels of an avatar of the usual size, which is not enlarged then.
    private func leastSide(for head: Head) -> Int {
        let longest = max(Self.step * 10, 96 * Self.shortSide / pixels, head.height * 22 / 10)
        return min((longest + Self.step - 1) / Self.step * Self.step, Self.shortSide)
    }

    /// A square with this centre, or as near to it as the edges of the photo let it be.
    private func place(_ side: Int, aroundX x: Int, y: Int) -> Square {
        func start(_ centre: Int, _ length: Int) -> Int {
            let rounded = (centre - side / 2 + Self.step / 2) / Self.step * Self.step
            return min(max(rounded, 0), length - side)
        }
        return Square(x: start(x, width), y: start(y, height), side: side)
    }

    /// Pixels of the photo.
    func pixels(of square: Square) -> PixelRectangle {
        func rounded(_ length: Int) -> Int { (length * pixels + Self.shortSide / 2) / Self.shortSide }
        let side = max(rounded(square.side), 1)
        return PixelRectangle(
            x: min(rounded(square.x), photo.width - side), y: min(rounded(square.y), photo.height - side), width: side,
            height: side)
    }
}
