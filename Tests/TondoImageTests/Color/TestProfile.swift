@testable import TondoImage

/// An ICC profile that is written by hand (ICC.1:2022 section 7).
struct TestProfile {
    var space = "RGB "
    var connection = "XYZ "
    var deviceClass = "mntr"
    /// 2 or 4.
    var version: UInt8 = 4
    /// Name and bytes.
    var tags: [(name: String, bytes: [UInt8])] = []

    /// The primaries of Display P3, adapted to D50, and this curve for all channels.
    static func displayP3(_ curve: [UInt8]) -> TestProfile { TestProfile(curves: [curve, curve, curve]) }

    /// X, Y, Z of red, of green and of blue.
    static let displayP3 = [[0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407]]

    init(curves: [[UInt8]], colorants: [[Double]] = displayP3) {
        for (index, channel) in ["r", "g", "b"].enumerated() {
            tags.append((channel + "XYZ", Self.xyz(colorants[index])))
            tags.append((channel + "TRC", curves[index]))
        }
    }

    init(gray curve: [UInt8]) {
        space = "GRAY"
        tags = [("kTRC", curve)]
    }

    /// Header, tag table and tags; equal tags share their bytes.
    var bytes: [UInt8] {
        var (table, body) = ([UInt8](), [UInt8]())
        var places: [[UInt8]: Int] = [:]
        for tag in [("wtpt", Self.xyz([0.9642, 1, 0.8249]))] + tags {
            let place = places[tag.1] ?? 132 + (tags.count + 1) * 12 + body.count
            if places[tag.1] == nil { body += tag.1 + [UInt8](repeating: 0, count: -tag.1.count & 3) }
            places[tag.1] = place
            table += Array(tag.0.utf8) + Self.big(place) + Self.big(tag.1.count)
        }
        var header = Self.big(132 + table.count + body.count) + Self.big(0) + [version, 0, 0, 0]
        header += Array((deviceClass + space + connection).utf8)
        header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
        header += [UInt8](repeating: 0, count: 28) + Self.xyz([0.9642, 1, 0.8249]).dropFirst(8)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + Self.big(tags.count + 1) + table + body
    }

    static func sampled(_ values: [UInt16]) -> [UInt8] {
        Array("curv".utf8) + big(0) + big(values.count) + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    /// `kind`: 0...4, with 1, 3, 4, 5 or 7 parameters: g a b c d e f.
    static func parametric(_ kind: UInt8, _ parameters: [Double]) -> [UInt8] {
        Array("para".utf8) + big(0) + [0, kind, 0, 0] + parameters.flatMap { fixed($0) }
    }

    static let sRGB = parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

    /// One processing element: the matrix that the colorants of Display P3 make, from colours that are light to XYZ.
    static var elements: [UInt8] {
        let rows: [[Float]] = (0..<3).map { row in displayP3.map { Float($0[row]) } } + [[0, 0, 0]]
        var matrix = Array("matf".utf8) + big(0)
        matrix += [0, 3, 0, 3]
        for value in rows.joined() { matrix += big(Int(value.bitPattern)) }
        var tag = Array("mpet".utf8) + big(0)
        tag += [0, 3, 0, 3]
        for number in [1, 24, matrix.count] { tag += big(number) }
        return tag + matrix
    }

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + big(0) + values.flatMap { fixed($0) }
    }

    /// s15Fixed16.
    private static func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65536).rounded())) }

    private static func big(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
