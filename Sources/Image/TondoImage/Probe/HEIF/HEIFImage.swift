/// What of a HEIC or AVIF file is decoded.
package struct HEIFImage: Equatable, Sendable {
    /// Pixels, before the transformations of the item's properties.
    package struct Size: Hashable, Sendable {
        package var width: Int
        package var height: Int
    }

    /// A smaller picture in the file that shows the same, and is decoded in its place if it has enough pixels.
    package struct Thumbnail: Equatable, Sendable {
        /// Opaque: a photo with transparency is decoded without its thumbnail.
        package var picture: HEIFPicture
        /// Nil: the one of the photo.
        package var profile: EmbeddedProfile?

        package var width: Int { picture.width }
        package var height: Int { picture.height }
    }

    /// The transparency, a picture of its own, which may have another size and other transformations than the colours.
    package struct Alpha: Equatable, Sendable {
        package var picture: HEIFPicture
        /// The part, in pixels as coded, that covers what is shown of the colours.
        package var shown: PixelRectangle
        /// What turns it to the colours as they are coded.
        package var turn: Orientation
        /// The colours are multiplied by it.
        package var isMultiplied: Bool
    }

    /// The colours, as one coded item or as a grid of tiles.
    package var picture: HEIFPicture
    /// Where the shown part begins, whose size is the one of the header.
    package var x = 0
    package var y = 0
    /// Nil: the photo is opaque.
    package var alpha: Alpha?
    /// Its values have more than 8 bits.
    package var isDeep = false
    /// The size of each tile; nil: it is not divided.
    package var tile: Size?
    /// Nil: the file has none that can stand for the photo.
    package var thumbnail: Thumbnail?

    /// As coded, in pixels.
    package var width: Int { picture.width }
    package var height: Int { picture.height }
    package var hasAlpha: Bool { alpha != nil }
    /// Where the data of picture and alpha ends in the file.
    package var end: Int { max(picture.end, alpha?.picture.end ?? 0) }

    init(picture: HEIFPicture) { self.picture = picture }

    /// Without data.
    init(width: Int, height: Int) {
        let item = HEIFPicture.Item(type: HEIFBoxes.code("hvc1"), size: Size(width: width, height: height))
        self.init(picture: HEIFPicture(items: [item]))
    }
}

/// One picture as the decoder needs it: a coded item, or a grid and its tiles.
package struct HEIFPicture: Equatable, Sendable {
    struct Item: Equatable, Sendable {
        /// Four characters.
        var type: Int
        var size: HEIFImage.Size
        /// Boxes of the file that the decoder needs, in their order.
        var properties: [HEIFBoxes.Box] = []
        /// How the values are coded, if a property states it.
        var color: HEIFColor?
        /// Parts of the file.
        var data: [Range<Int>] = []

        /// Where the last part of the picture's data ends in the file.
        var end: Int { data.map(\.upperBound).max() ?? 0 }
    }

    /// The picture, and then each tile once.
    var items: [Item]
    /// For each cell of a grid, row by row, the index of its tile in `items`.
    var cells: [Int] = []
    /// One channel is coded, and how: its values reach from 0 to the largest number, or from 16 to 235 of 255.
    package var isGray = false
    package var isFullRange = true

    /// As coded, in pixels.
    package var width: Int { items[0].size.width }
    package var height: Int { items[0].size.height }
    /// Where the data of all items ends in the file.
    package var end: Int { items.map(\.end).max() ?? 0 }
}
