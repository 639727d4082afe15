extension HEIFPicture {
    /// A HEIC or AVIF file of this picture alone: what else is in the photo's file, such as references that a decoder does not
    /// know, cannot keep it from being drawn.
    package struct File {
        /// Everything before the data.
        package var header: [UInt8] = []
        /// The data, parts of the photo's file, one after the other.
        package var parts: [Range<Int>] = []
    }

    /// `bytes`: the photo's file, which is not copied; all data must be in it.
    package func file(of bytes: UnsafeRawBufferPointer) throws(ImageError) -> File {
        let count = items.reduce(0) { $0 + $1.count }
        // Items may share data, but each is read again.
        guard count <= 4 * bytes.count + 1_000_000 else { throw .corrupt("data that are used too often") }
        guard items.count < 1 << 16 else { throw .corrupt("too many tiles") }
        let properties = Properties(items: items, bytes: bytes)
        guard properties.boxes.count < 1 << 15 else { throw .corrupt("too many properties of tiles") }
        var file = File()
        // Offsets have the same length wherever the data begin.
        file.header = header(properties, count: count, start: 0)
        file.header = header(properties, count: count, start: file.header.count)
        file.parts = items.flatMap(\.data)
        return file
    }

    private func header(_ properties: Properties, count: Int, start: Int) -> [UInt8] {
        var writer = HEIFWriter()
        writer.box("ftyp") {
            $0.text("mif1\0\0\0\0mif1miaf")
            $0.text(isCoded(as: "av01") ? "avif" : "heic")
        }
        writer.box("meta", version: 0) {
            $0.box("hdlr", version: 0) { $0.text("\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0") }
            $0.box("pitm", version: 0) { $0.number(1, bytes: 2) }
            writePlaces(&$0, start: start)
            writeItems(&$0)
            if !cells.isEmpty { writeCells(&$0) }
            properties.write(&$0)
        }
        // A long box: its size is behind its name.
        writer.number(1, bytes: 4)
        writer.text("mdat")
        writer.number(16 + count, bytes: 8)
        return writer.bytes
    }

    private func isCoded(as name: StaticString) -> Bool { items.last?.type == HEIFBoxes.code(name) }

    private func writePlaces(_ writer: inout HEIFWriter, start: Int) {
        writer.box("iloc", version: 0) {
            // Offsets and lengths of eight bytes each, and no base: the same size wherever the data are.
            $0.number(0x8800, bytes: 2)
            $0.number(items.count, bytes: 2)
            var offset = start
            for (index, item) in items.enumerated() {
                // Its number, in this file, one part.
                for number in [index + 1, 0, 1] { $0.number(number, bytes: 2) }
                $0.number(offset, bytes: 8)
                $0.number(item.count, bytes: 8)
                offset += item.count
            }
        }
    }

    private func writeItems(_ writer: inout HEIFWriter) {
        writer.box("iinf", version: 0) {
            $0.number(items.count, bytes: 2)
            for (index, item) in items.enumerated() {
                $0.box("infe", version: 2) {
                    $0.number(index + 1, bytes: 2)
                    $0.number(0, bytes: 2)
                    $0.number(item.type, bytes: 4)
                    $0.text("\0")
                }
            }
        }
    }

    private func writeCells(_ writer: inout HEIFWriter) {
        writer.box("iref", version: 0) {
            $0.box("dimg") {
                $0.number(1, bytes: 2)
                $0.number(cells.count, bytes: 2)
                for cell in cells { $0.number(cell + 1, bytes: 2) }
            }
        }
    }
}

extension HEIFPicture.Item {
    /// Bytes of its data.
    fileprivate var count: Int { data.reduce(0) { $0 + $1.count } }
}

/// The properties of all items: each box once, and the numbers of those that an item has.
private struct Properties {
    private(set) var boxes: [[UInt8]] = []
    private var uses: [[Int]] = []
    private var numbers: [[UInt8]: Int] = [:]

    init(items: [HEIFPicture.Item], bytes: UnsafeRawBufferPointer) {
        // Tiles share their boxes, which may be long.
        var known: [HEIFBoxes.Box: Int] = [:]
        for item in items {
            var own = [number(of: Self.size(item.size))]
            if let color = item.color { own.append(number(of: Self.color(color))) }
            for box in item.properties {
                let found = known[box] ?? number(of: Self.copy(box, from: bytes))
                known[box] = found
                // Essential: a reader that does not know it must not show the picture.
                own.append(found | 0x8000)
            }
            uses.append(own)
        }
    }

    private mutating func number(of box: [UInt8]) -> Int {
        if let number = numbers[box] { return number }
        boxes.append(box)
        numbers[box] = boxes.count
        return boxes.count
    }

    private static func size(_ size: HEIFImage.Size) -> [UInt8] {
        var writer = HEIFWriter()
        writer.box("ispe", version: 0) {
            $0.number(size.width, bytes: 4)
            $0.number(size.height, bytes: 4)
        }
        return writer.bytes
    }

    private static func color(_ color: HEIFColor) -> [UInt8] {
        var writer = HEIFWriter()
        writer.box("colr") {
            $0.text("nclx")
            for number in [color.primaries, color.curve, color.matrix] { $0.number(number, bytes: 2) }
            $0.number(color.isFullRange ? 0x80 : 0, bytes: 1)
        }
        return writer.bytes
    }

    private static func copy(_ box: HEIFBoxes.Box, from bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var writer = HEIFWriter()
        writer.number(8 + box.payload.count, bytes: 4)
        writer.number(box.type, bytes: 4)
        writer.bytes += bytes[box.payload]
        return writer.bytes
    }

    func write(_ writer: inout HEIFWriter) {
        writer.box("iprp") {
            $0.box("ipco") { for box in boxes { $0.bytes += box } }
            $0.box("ipma", version: 0, flags: 1) {
                $0.number(uses.count, bytes: 4)
                for (index, own) in uses.enumerated() {
                    $0.number(index + 1, bytes: 2)
                    $0.number(own.count, bytes: 1)
                    for number in own { $0.number(number, bytes: 2) }
                }
            }
        }
    }
}

/// Writes boxes of the ISO base media format.
private struct HEIFWriter {
    var bytes: [UInt8] = []

    mutating func number(_ value: Int, bytes count: Int) {
        for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// ASCII.
    mutating func text(_ text: String) { bytes += Array(text.utf8) }

    /// `name`: four characters.
    mutating func box(_ name: String, content: (inout HEIFWriter) -> Void) {
        let start = bytes.count
        number(0, bytes: 4)
        text(name)
        content(&self)
        let size = bytes.count - start
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index)) }
    }

    mutating func box(_ name: String, version: Int, flags: Int = 0, content: (inout HEIFWriter) -> Void) {
        box(name) {
            $0.number(version << 24 | flags, bytes: 4)
            content(&$0)
        }
    }
}
