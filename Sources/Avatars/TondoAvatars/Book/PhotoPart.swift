package import TondoContacts
package import TondoImage

/// The part of a photo to show, as it is named by people: `face`, `centre`, or `X,Y,WIDTH,HEIGHT` in pixels of the upright photo,
/// from its left and upper edge.
package enum PhotoPart: Equatable, Sendable {
    case square(Style.Crop)
    case rectangle(PixelRectangle)

    /// The words beside numbers.
    package static let words = ["face", "centre"]

    /// The part is not in the photo, which has this size.
    package struct Outside: Error, Equatable, Sendable, CustomStringConvertible {
        package let width: Int
        package let height: Int

        package var description: String { "is not in the photo, which has \(width) x \(height) pixels" }
    }

    /// Nil for another text.
    package init?(_ text: String) {
        if Self.words.contains(text.lowercased()) {
            self = .square(text.lowercased() == "face" ? .face : .centre)
            return
        }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], width > 0, height > 0
        else { return nil }
        self = .rectangle(PixelRectangle(x: x, y: y, width: width, height: height))
    }

    /// In pixels of the upright photo of this size, from its upper edge. `find`: looks for a square. Throws `Outside`, or what
    /// `find` throws.
    func rectangle(
        in size: (width: Int, height: Int), find: (Style.Crop) throws -> PixelRectangle
    ) throws -> PixelRectangle {
        switch self {
        case .square(let crop): return try find(crop)
        case .rectangle(let part):
            let isInside = part.x >= 0 && part.y >= 0 && part.width <= size.width && part.height <= size.height
            guard isInside, part.x <= size.width - part.width, part.y <= size.height - part.height else {
                throw Outside(width: size.width, height: size.height)
            }
            return part
        }
    }
}

/// A photo as a book stores it, and the part of it to show; nil: all of it.
package struct FittedPhoto: Sendable {
    package let photo: StorablePhoto
    package let crop: PhotoCrop?
}

extension PixelRectangle {
    /// As books have it: in pixels of the stored photo, counted from the bottom. `size`: of the original.
    func crop(of size: (width: Int, height: Int), in stored: (width: Int, height: Int)) -> PhotoCrop {
        func scaled(_ length: Int) -> Int { (length * stored.width + size.width / 2) / size.width }
        let (wide, high) = (max(scaled(width), 1), max(scaled(height), 1))
        return PhotoCrop(x: scaled(x), y: max(stored.height - scaled(y) - high, 0), width: wide, height: high)
    }
}
