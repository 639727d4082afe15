import Testing

/// Reads sixel graphics back, as far as a terminal has to (DEC VT330/VT340 Programmer Reference Manual, chapter 14).
struct SixelReader {
    struct Failure: Error { var reason: String }

    /// The two numbers after the aspect ratio of the raster attributes.
    private(set) var width = 0
    private(set) var height = 0
    /// Red, green and blue, 0...255, row by row; nil where nothing was drawn.
    private(set) var pixels: [[Int]?] = []
    private(set) var palette: [Int: [Int]] = [:]

    private var rest: Substring
    private var color = 0
    private var place = (x: 0, y: 0)

    init(_ bytes: [UInt8]) throws {
        rest = Substring(String(decoding: bytes, as: UTF8.self))
        try take("\u{1B}P0;1;0q\"")
        let raster = numbers()
        guard raster.count == 4, raster[0] == 1, raster[1] == 1 else { throw Failure(reason: "raster \(raster)") }
        (width, height) = (raster[2], raster[3])
        pixels = Array(repeating: nil, count: width * height)
        while rest.first != "\u{1B}" { try step() }
        try take("\u{1B}\\")
        guard rest.isEmpty else { throw Failure(reason: "something follows") }
    }

    private mutating func step() throws {
        switch rest.first {
        case "#":
            rest.removeFirst()
            let values = numbers()
            color = values[0]
            if values.count == 5 { palette[color] = values[2...].map { ($0 * 255 + 50) / 100 } }
        case "$":
            rest.removeFirst()
            place.x = 0
        case "-":
            rest.removeFirst()
            place = (0, place.y + 6)
        case "!":
            rest.removeFirst()
            let count = numbers()[0]
            try draw(count)
        default: try draw(1)
        }
    }

    private mutating func draw(_ count: Int) throws {
        guard let value = rest.popFirst()?.asciiValue, (63...126).contains(value), let drawn = palette[color] else {
            throw Failure(reason: "no sixel, or a colour that is not defined")
        }
        for _ in 0..<count {
            for row in 0..<6 where (value - 63) >> UInt8(row) & 1 == 1 {
                let y = place.y + row
                guard place.x < width, y < height else { throw Failure(reason: "outside the picture") }
                pixels[y * width + place.x] = drawn
            }
            place.x += 1
        }
    }

    private mutating func numbers() -> [Int] {
        let text = rest.prefix { $0.isNumber || $0 == ";" }
        rest = rest[text.endIndex...]
        return text.split(separator: ";").compactMap { Int($0) }
    }

    private mutating func take(_ text: String) throws {
        guard rest.hasPrefix(text) else { throw Failure(reason: "expected \(text.debugDescription)") }
        rest = rest.dropFirst(text.count)
    }
}
