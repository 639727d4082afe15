/// The text of a contact without its file, and its encodings for other files. Pure.
struct RemovedText {
    let bytes: [UInt8]
    let encoding: TextLayout.Encoding

    init(bytes: [UInt8], encoding: TextLayout.Encoding) {
        self.bytes = bytes
        self.encoding = encoding
    }

    /// In the encoding of a file. Text with one byte per character may be in any 8-bit character set: first unchanged,
    /// then converted from the detected one.
    func spellings(in target: TextLayout.Encoding) -> [[UInt8]] {
        if target == encoding { return target == .bytes && !isUTF8 ? [bytes, utf8] : [bytes] }
        return [target.bytes(String(decoding: utf8, as: UTF8.self))]
    }

    var endsLine: Bool {
        let units = encoding.units(bytes)
        return units.last == 0x0A || units.last == 0x0D
    }

    /// With `lineEnd` in the place of every line end.
    func ending(lines lineEnd: String) -> [UInt8] {
        let units = encoding.units(bytes)
        var output: [UInt16] = []
        output.reserveCapacity(units.count)
        for (index, unit) in units.enumerated() {
            if unit == 0x0D || unit == 0x0A {
                let isSecond = unit == 0x0A && index > 0 && units[index - 1] == 0x0D
                if !isSecond { output += lineEnd.utf16 }
            } else {
                output.append(unit)
            }
        }
        return encoding.bytes(units: output)
    }

    private var isUTF8: Bool { bytes.withUnsafeBytes { UTF8Text.defect($0) == nil } }

    private var utf8: [UInt8] {
        bytes.withUnsafeBytes { bytes in
            encoding == .bytes
                ? CharsetDecoder().utf8(bytes, charset: Charset.guess(bytes))
                : UTF16Text.utf8(bytes, isBigEndian: encoding == .bigEndian)
        }
    }
}

extension TextLayout.Encoding {
    /// A text in this encoding, without a byte-order mark.
    func bytes(_ text: String) -> [UInt8] { self == .bytes ? Array(text.utf8) : bytes(units: Array(text.utf16)) }

    /// Bytes, or units of UTF-16.
    fileprivate func units(_ bytes: [UInt8]) -> [UInt16] {
        switch self {
        case .bytes: bytes.map { UInt16($0) }
        case .littleEndian, .bigEndian:
            bytes.withUnsafeBytes { Array(UTF16Text.units($0, isBigEndian: self == .bigEndian)) }
        }
    }

    fileprivate func bytes(units: [UInt16]) -> [UInt8] {
        switch self {
        case .bytes: units.map { UInt8(truncatingIfNeeded: $0) }
        case .littleEndian: units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        case .bigEndian: units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        }
    }
}
