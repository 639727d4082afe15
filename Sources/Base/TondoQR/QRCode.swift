internal import libqrencode

/// A QR code (ISO/IEC 18004): a square of dark and light modules.
package struct QRCode: Equatable, Sendable {
    /// Modules a side, without the quiet zone: 21 to 177.
    package let side: Int
    /// True: dark. By rows, from the upper left.
    private let modules: [Bool]

    /// The largest code of the standard.
    package static let largestVersion = 40
    /// The light modules that scanners need on each side.
    package static let quietZone = 4

    /// The smallest code that holds the bytes, with as much redundancy as fits into it. Nil for no bytes, and if it would be
    /// larger than `version`, which has 17 + 4 * `version` modules a side. UTF-8 is stored as it is, without a mark: phones
    /// recognise it, and older scanners show the mark as a character.
    package init?(_ bytes: some Collection<UInt8>, upTo version: Int = largestVersion) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty, var best = Self(bytes, version: 0, level: QR_ECLEVEL_L) else { return nil }
        guard best.version <= version else { return nil }
        for level in [QR_ECLEVEL_M, QR_ECLEVEL_Q, QR_ECLEVEL_H] {
            guard let better = Self(bytes, version: best.version, level: level), better.side == best.side else { break }
            best = better
        }
        self = best
    }

    /// `version`: the least one; 0: any. Not by the library's functions for strings, which read some pairs of bytes of UTF-8
    /// as Japanese.
    private init?(_ bytes: [UInt8], version: Int, level: QRecLevel) {
        guard let code = QRcode_encodeData(CInt(bytes.count), bytes, CInt(version), level) else { return nil }
        defer { QRcode_free(code) }
        let (side, data) = (Int(code.pointee.width), code.pointee.data)
        self.side = side
        // The lowest bit is the colour; the others say what a module is for.
        modules = UnsafeBufferPointer(start: data, count: side * side).map { $0 & 1 == 1 }
    }

    private var version: Int { (side - 17) / 4 }

    /// Whether a module is dark. Those around the code are light.
    package subscript(row: Int, column: Int) -> Bool {
        guard 0..<side ~= row, 0..<side ~= column else { return false }
        return modules[row * side + column]
    }

    /// The rows from above, without the quiet zone: `1` is a dark module, `0` a light one.
    package var rows: [String] {
        (0..<side).map { row in String((0..<side).map { self[row, $0] ? "1" : "0" }) }
    }
}
