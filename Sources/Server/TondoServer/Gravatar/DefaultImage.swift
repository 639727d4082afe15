/// Avatars for addresses without a photo, drawn from the hash alone, so always the same.
package enum DefaultImage {
    /// The raw values are words of the parameter `d`.
    package enum Kind: String, CaseIterable, Sendable {
        case person = "mp"
        case identicon, retro, color, blank
    }

    /// `side` rows of `side` pixels of red, green, blue and straight alpha.
    package static func pixels(_ kind: Kind, hash: AddressHash, side: Int) -> [UInt8] {
        precondition(GravatarRequest.sizes ~= side)
        switch kind {
        case .blank: return [UInt8](repeating: 0, count: side * side * 4)
        case .color: return fill(side) { _, _ in PixelColor(hue: hash) }
        case .identicon: return identicon(hash, side: side)
        case .retro: return retro(hash, side: side)
        case .person: return person(side)
        }
    }

    private static let background = PixelColor(red: 240, green: 240, blue: 240)

    /// Five by five, the left half mirrored; a bit of the hash for each of its 15 cells.
    private static func identicon(_ hash: AddressHash, side: Int) -> [UInt8] {
        let color = PixelColor(hue: hash)
        let bits = UInt16(hash.bytes[0]) << 8 | UInt16(hash.bytes[1])
        // Half a cell of margin, unless the avatar is too small for cells.
        var cell = max(side / 6, 1)
        // Both margins are equal if the cells leave an even number of pixels.
        if cell > 1, !(side - 5 * cell).isMultiple(of: 2) { cell -= 1 }
        let margin = (side - 5 * cell) / 2
        return fill(side) { x, y in
            guard x >= margin, y >= margin else { return background }
            let (column, row) = ((x - margin) / cell, (y - margin) / cell)
            guard column < 5, row < 5 else { return background }
            return bits >> UInt16(row * 3 + min(column, 4 - column)) & 1 == 1 ? color : background
        }
    }

    /// Eight by eight, a head made of four hairs, four eyes and four mouths.
    private static func retro(_ hash: AddressHash, side: Int) -> [UInt8] {
        let bytes = hash.bytes
        let rows = PixelFace.rows(hair: Int(bytes[0]), eyes: Int(bytes[1]), mouth: Int(bytes[2]))
        let (skin, hair) = (PixelFace.skins[Int(bytes[3]) % PixelFace.skins.count], PixelColor(hue: hash))
        return fill(side) { x, y in
            switch rows[y * 8 / side][x * 8 / side] {
            case 1: skin
            case 2: hair
            case 3: PixelColor(red: 40, green: 40, blue: 48)
            default: background
            }
        }
    }

    /// Head and shoulders, the same for all hashes: `mp` must not distinguish addresses.
    private static func person(_ side: Int) -> [UInt8] {
        fill(side) { x, y in
            // Integer arithmetic in thousandths of a quarter of the side, from the middle of the pixel, so that all
            // machines give the same bytes.
            let (u, v) = ((2 * x + 1) * 2_000 / side, (2 * y + 1) * 2_000 / side)
            let (dx, head, body) = (u - 2_000, v - 1_500, v - 4_000)
            let isHead = dx * dx + head * head < 750 * 750
            let isBody = dx * dx + body * body < 1_500 * 1_500
            return isHead || isBody
                ? PixelColor(red: 255, green: 255, blue: 255) : PixelColor(red: 192, green: 196, blue: 204)
        }
    }

    private static func fill(_ side: Int, color: (Int, Int) -> PixelColor) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(side * side * 4)
        for y in 0..<side {
            for x in 0..<side {
                let color = color(x, y)
                pixels.append(color.red)
                pixels.append(color.green)
                pixels.append(color.blue)
                pixels.append(255)
            }
        }
        return pixels
    }
}
