import Testing
import TondoQR

@Suite struct QRCodeTests {
    /// `Tondo` in version 1 with the most redundancy, as zbar reads it.
    private static let tondo = [
        "111111101101001111111",
        "100000101111001000001",
        "101110100010101011101",
        "101110101001101011101",
        "101110101000101011101",
        "100000101011001000001",
        "111111101010101111111",
        "000000000001100000000",
        "000100100111000111011",
        "100100010000110000111",
        "000111110101000001001",
        "110101011000011001011",
        "101001101011101010011",
        "000000001101000110110",
        "111111100110100101010",
        "100000100100101110000",
        "101110100110010110001",
        "101110101000100101011",
        "101110100011100010101",
        "100000100110111000000",
        "111111100011100101010",
    ]

    private func encoded(_ text: String, upTo version: Int = QRCode.largestVersion) -> QRCode? {
        QRCode(text.utf8, upTo: version)
    }

    @Test func `The modules are those that scanners read`() throws {
        #expect(try #require(encoded("Tondo")).rows == Self.tondo)
    }

    @Test func `The smallest code is taken, with as much redundancy as it holds`() throws {
        // Bytes of versions 1 to 3 with the least redundancy.
        for (count, side) in [(1, 21), (17, 21), (18, 25), (32, 25), (33, 29), (53, 29)] {
            #expect(try #require(QRCode(Array(repeating: 0x61, count: count))).side == side)
        }
        #expect(QRCode(Array(repeating: 0x61, count: 2_953))?.side == 177)
    }

    @Test func `There is no code of nothing, and none that is too large`() {
        #expect(encoded("") == nil && QRCode(Array(repeating: 0x61, count: 2_954)) == nil)
        #expect(encoded(String(repeating: "a", count: 17), upTo: 1) != nil)
        #expect(encoded(String(repeating: "a", count: 18), upTo: 1) == nil)
    }

    @Test func `Around the code everything is light`() throws {
        let code = try #require(encoded("Tondo"))
        #expect(code[0, 0] && code[20, 0] && code[0, 20])
        #expect(!code[-1, 0] && !code[0, -1] && !code[21, 0] && !code[0, 21])
    }

    @Test func `An SVG has one path and the quiet zone`() throws {
        let svg = try #require(encoded("Tondo")).svg
        #expect(svg.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" "#))
        // The upper side of the first finder pattern.
        #expect(svg.contains(##"<path fill="#000" d="M4 4h7v1h-7z"##) && svg.split(separator: "<path").count == 2)
        for word in ["style", "script", "href"] { #expect(!svg.contains(word)) }
    }

    @Test func `A terminal shows black on white, whatever its own colours are`() throws {
        let code = try #require(encoded("Tondo"))
        let lines = code.terminalText.split(separator: "\n")
        #expect(lines.count == 15 && code.terminalColumns == 29)
        for line in lines { #expect(line.count { $0 == "▀" } == 29 && line.hasSuffix("\u{1B}[0m")) }
        // The quiet zone in white; then the finder pattern, whose second row is light but for its ends.
        #expect(lines[0] == "\u{1B}[38;5;231;48;5;231m" + String(repeating: "▀", count: 29) + "\u{1B}[0m")
        let start = "\u{1B}[38;5;231;48;5;231m▀▀▀▀\u{1B}[38;5;16;48;5;16m▀\u{1B}[38;5;16;48;5;231m▀▀▀▀▀"
        #expect(lines[2].hasPrefix(start))
        #expect(lines[14].hasPrefix("\u{1B}[38;5;231;49m▀"))
    }
}
