import Foundation
import Testing
import TondoImage

@testable import tondo

@Suite struct ImageEncoderTests {
    private let start = "\u{1B}_G"
    private let end = "\u{1B}\\"

    /// Begins like a PNG, which is all that the encoder looks at.
    private func png(_ count: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (8..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    }

    @Test func `A small picture is one piece for kitty`() throws {
        let text = String(decoding: try PreviewProtocol.kitty.encode(png(9)), as: UTF8.self)
        #expect(text == "\u{1B}_Gf=100,a=T,q=2,m=0;iVBORw0KGgo4\u{1B}\\")
    }

    @Test(arguments: [(3072, 1), (3073, 2), (6144, 2), (10_000, 4)])
    func `A large picture comes to kitty in pieces of 4096 characters`(_ count: Int, _ pieces: Int) throws {
        let png = png(count)
        let text = String(decoding: try PreviewProtocol.kitty.encode(png), as: UTF8.self)
        #expect(text.hasPrefix(start) && text.hasSuffix(end))
        let parts = text.dropFirst(start.count).dropLast(end.count).components(separatedBy: end + start)
        #expect(parts.count == pieces)
        let heads = parts.map { $0.prefix { $0 != ";" } }
        #expect(heads.first == (pieces > 1 ? "f=100,a=T,q=2,m=1" : "f=100,a=T,q=2,m=0"))
        #expect(heads.dropFirst().dropLast().allSatisfy { $0 == "q=2,m=1" })
        #expect(pieces == 1 || heads.last == "q=2,m=0")
        let bodies = zip(parts, heads).map { $0.dropFirst($1.count + 1) }
        #expect(bodies.dropLast().allSatisfy { $0.count == 4096 })
        #expect(Data(base64Encoded: bodies.joined()) == Data(png))
    }

    @Test func `iTerm2 gets length and picture in one code`() throws {
        let text = String(decoding: try PreviewProtocol.iterm2.encode(png(10)), as: UTF8.self)
        #expect(text == "\u{1B}]1337;File=inline=1;size=10;preserveAspectRatio=1:iVBORw0KGgo4Pw==\u{07}")
    }

    @Test(arguments: PreviewProtocol.allCases)
    func `Each way carries a picture`(_ preview: PreviewProtocol) throws {
        let png = PNGEncoder.encode(pixels: [255, 0, 0, 255], width: 1, height: 1)
        let begins: [PreviewProtocol: String] = [
            .kitty: "\u{1B}_Gf=100", .iterm2: "\u{1B}]1337;File=",
        ]
        let begin = try #require(begins[preview])
        #expect(try preview.encode(png).starts(with: begin.utf8))
    }

    @Test func `What is no picture cannot be shown`() {
        #expect(throws: RenderError.self) { try PreviewProtocol.kitty.encode([1, 2, 3]) }
    }
}
