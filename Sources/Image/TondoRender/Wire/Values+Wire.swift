package import TondoImage

// How the values of TondoImage are written and read. Reading checks everything that drawing takes for granted.

extension RGBA {
    func write(to writer: inout WireWriter) { for channel in [red, green, blue, alpha] { writer.put(channel) } }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            red: try reader.number(), green: try reader.number(), blue: try reader.number(), alpha: try reader.number())
    }
}

extension Style {
    func write(to writer: inout WireWriter) {
        for fields in StyleField.words {
            let texts = fields.compactMap { $0.text(self) }
            if fields[0].standard == nil { writer.put(!texts.isEmpty) }
            for (field, text) in zip(fields, texts) { field.write(text, to: &writer) }
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(size: Style.usualSize)
        for fields in StyleField.words {
            // A style may have none of the fields.
            if fields[0].standard == nil, try !reader.flag() { continue }
            for field in fields { field.set(&self, try field.text(from: &reader)) }
        }
        // Drawing takes a style for granted that leaves room for a picture.
        if problem != nil { throw WireError("a style that cannot be drawn") }
    }
}

extension StyleField {
    fileprivate func write(_ text: String, to writer: inout WireWriter) {
        switch kind {
        case .number: writer.put(Int(text) ?? 0)
        case .decimal: writer.put(Double(text) ?? 0)
        case .choice(let words): writer.put(UInt8(words.firstIndex(of: text) ?? 0))
        case .color: (RGBA(text) ?? .selection).write(to: &writer)
        }
    }

    fileprivate func text(from reader: inout WireReader) throws(WireError) -> String {
        switch kind {
        case .number(let range): "\(try reader.number(in: range))"
        case .decimal: "\(try reader.double())"
        case .choice(let words): try reader.oneOf(words)
        case .color: try RGBA(from: &reader).hexadecimal
        }
    }
}

extension Limits {
    // A limit that is missing here would have its default in every worker.
    private static let parts: [any WritableKeyPath<Limits, Int> & Sendable] = [
        \.maxSide, \.maxPixels, \.maxMemory, \.maxScans, \.maxBlockVisits, \.maxChunk, \.scaledFrom,
        \.lanesFrom, \.laneSpacing, \.laneBlockBytes, \.samplesFrom,
    ]

    func write(to writer: inout WireWriter) { for part in Self.parts { writer.put(self[keyPath: part]) } }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        for part in Self.parts { self[keyPath: part] = try reader.number(in: 0...1 << 48) }
    }
}

extension CropRectangle {
    func write(to writer: inout WireWriter) { for number in [x, y, width, height] { writer.put(number) } }

    init(from reader: inout WireReader) throws(WireError) {
        func next() throws(WireError) -> Int { try reader.number(in: .min ... .max) }
        self.init(x: try next(), y: try next(), width: try next(), height: try next())
    }
}

extension ImageHeader {
    /// Without the colour profile.
    func write(to writer: inout WireWriter) {
        writer.put(format.rawValue)
        writer.put(width)
        writer.put(height)
        writer.put(Int(orientation.rawValue))
        for flag in [isGray, isBuffered, isArithmetic, isProgressive, isCgBI] { writer.put(flag) }
        writer.put(sampling) { writer, factors in
            for number in [factors.identifier, factors.horizontal, factors.vertical] { writer.put(number) }
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        let side = 1...1 << 31
        guard let format = Format(rawValue: try reader.text(limit: 8)) else { throw WireError("an unknown format") }
        self.init(format: format, width: try reader.number(in: side), height: try reader.number(in: side))
        guard let orientation = Orientation(rawValue: numericCast(try reader.number(in: 1...8))) else {
            throw WireError("an unknown orientation")
        }
        self.orientation = orientation
        isGray = try reader.flag()
        isBuffered = try reader.flag()
        isArithmetic = try reader.flag()
        isProgressive = try reader.flag()
        isCgBI = try reader.flag()
        sampling = try reader.list(limit: 4) { reader throws(WireError) in
            Sampling(
                identifier: try reader.number(in: 0...255), horizontal: try reader.number(in: 1...4),
                vertical: try reader.number(in: 1...4))
        }
    }
}

extension WireReader {
    /// Words about a photo, from a side that may be in the hands of its author: short, on one line.
    fileprivate mutating func words() throws(WireError) -> String {
        let text = try text(limit: 2_000)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(400).map { $0.properties.isPrintable ? $0 : "?" }))
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}

extension Warning {
    func write(to writer: inout WireWriter) {
        switch self {
        case .profileIgnored(let text): writer.put(0, text: text)
        case .metadataIgnored(let text): writer.put(1, text: text)
        case .cutShort: writer.put(2 as UInt8)
        case .damaged(let count):
            writer.put(3 as UInt8)
            writer.put(count)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.number(UInt8.self) {
        case 0: self = .profileIgnored(try reader.words())
        case 1: self = .metadataIgnored(try reader.words())
        case 2: self = .cutShort
        case 3: self = .damaged(count: try reader.number(in: 0...1 << 48))
        default: throw WireError("an unknown warning")
        }
    }
}

extension RenderError {
    func write(to writer: inout WireWriter) {
        writer.put(UInt8(Self.stages.firstIndex(of: stage) ?? 0))
        switch error {
        case .empty: writer.put(0 as UInt8)
        case .unsupported(let text): writer.put(1, text: text)
        case .notAnImage(let text): writer.put(2, text: text)
        case .truncated(let text): writer.put(3, text: text)
        case .corrupt(let text): writer.put(4, text: text)
        case .tooLarge(let text): writer.put(5, text: text)
        case .overMemory(let needed, let limit):
            writer.put(6 as UInt8)
            writer.put(needed)
            writer.put(limit)
        case .tooManyScans: writer.put(7 as UInt8)
        case .outOfMemory: writer.put(8 as UInt8)
        case .missingGlyph(let scalar):
            writer.put(9 as UInt8)
            writer.put(Int(scalar))
        case .otherFonts: writer.put(10 as UInt8)
        // Made by the supervisor alone.
        case .decoderCrashed, .timedOut, .noDecoder: writer.put(8 as UInt8)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        let stage = try reader.oneOf(Self.stages)
        let error: ImageError =
            switch try reader.number(UInt8.self) {
            case 0: .empty
            case 1: .unsupported(try reader.words())
            case 2: .notAnImage(try reader.words())
            case 3: .truncated(try reader.words())
            case 4: .corrupt(try reader.words())
            case 5: .tooLarge(try reader.words())
            case 6: .overMemory(needed: try reader.number(in: 0...1 << 60), limit: try reader.number(in: 0...1 << 60))
            case 7: .tooManyScans
            case 8: .outOfMemory
            case 9: .missingGlyph(UInt32(try reader.number(in: 0...0x10FFFF)))
            case 10: .otherFonts
            default: throw WireError("an unknown error")
            }
        self.init(stage: stage, error: error)
    }

    private static let stages: [Stage] = [.probe, .limits, .decode]

    /// A message of its own.
    package var bytes: [UInt8] {
        var writer = WireWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Throws for everything that `bytes` does not give, bytes behind its end included.
    package init(_ bytes: [UInt8]) throws(WireError) {
        var reader = WireReader(bytes)
        try self.init(from: &reader)
        try reader.end()
    }
}

extension WireWriter {
    fileprivate mutating func put(_ code: UInt8, text: String) {
        put(code)
        put(text)
    }
}
