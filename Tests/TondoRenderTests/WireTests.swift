import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// The coding of requests and replies: nothing is lost, and nothing invalid is read.
@Suite struct WireTests {
    private static let setup: RenderSetup = {
        let ring = Style.Ring(width: 4, gap: 2.5, color: RGBA(red: 1, green: 2, blue: 3, alpha: 4))
        var square = Style(size: 80, background: RGBA(red: 9, green: 8, blue: 7))
        (square.shape, square.format) = (.square, .webp(quality: 85))
        var limits = Limits()
        (limits.maxMemory, limits.scaledFrom) = (77_000_000, 0)
        return RenderSetup(styles: [Style(size: 96, scale: 2, state: .selected, ring: ring), square], limits: limits)
    }()

    private static let request = RenderRequest(
        setup: setup, avatars: [.init(index: 1, keyword: "k", text: "a b"), .init(index: 0, keyword: "k", text: "")],
        crop: CropRectangle(x: -5, y: 7, width: 100, height: 200), source: .descriptor(offset: 12, count: 1 << 33))

    private static let ending: RenderEnding = {
        var header = ImageHeader(format: .jpeg, width: 4_000, height: 3_000)
        header.isProgressive = true
        header.sampling = [.init(identifier: 1, horizontal: 2, vertical: 2)]
        let square = PixelRectangle(x: 3, y: 4, width: 50, height: 50)
        let photo = PhotoInfo(
            header: header, warnings: [.profileIgnored("no"), .metadataIgnored("x"), .cutShort, .damaged(count: 3)],
            crop: CropRecord(square: square, reason: .face, photo: (4_000, 3_000), faces: []))
        return RenderEnding(
            photo: photo,
            steps: [.init(step: .decode, time: .microseconds(1_500)), .init(step: .encode, time: .nanoseconds(7))],
            held: 1 << 20)
    }()

    @Test func `A request is read as it was written`() throws {
        #expect(try RenderRequest(Self.request.bytes) == Self.request)
        #expect(try RenderRequest(Self.request.bytes, last: Self.setup) == Self.request)
    }

    @Test func `An end is read as it was written`() throws {
        #expect(try RenderEnding(Self.ending.bytes) == Self.ending)
    }

    @Test(arguments: [
        ImageError.empty, .unsupported("WebP image"), .notAnImage("text"), .truncated("t"), .corrupt("c"),
        .tooLarge("l"), .overMemory(needed: 5, limit: 4), .tooManyScans, .outOfMemory, .missingGlyph(0x41), .otherFonts,
    ])
    func `An error is read as it was written`(error: ImageError) throws {
        let written = RenderError(stage: .limits, error: error)
        #expect(try RenderError(written.bytes) == written)
    }

    @Test func `A message of a worker is one short line`() throws {
        let written = RenderError(
            stage: .decode, error: .corrupt("a\u{1B}[2J\n\u{202E}b" + String(repeating: "x", count: 900)))
        guard case .corrupt(let text) = try RenderError(written.bytes).error else { return }
        #expect(text.hasPrefix("a?[2J??b") && text.unicodeScalars.count == 400)
    }

    @Test func `Bytes that are missing or too many are refused`() {
        for bytes in [Self.request.bytes, Self.ending.bytes] {
            for count in 0..<bytes.count {
                #expect(throws: WireError.self) { try RenderRequest(Array(bytes[..<count])) }
                #expect(throws: WireError.self) { try RenderEnding(Array(bytes[..<count])) }
            }
            #expect(throws: WireError.self) { try RenderRequest(bytes + [0]) }
            #expect(throws: WireError.self) { try RenderEnding(bytes + [0]) }
        }
    }

    @Test func `Changed bytes are refused or give a request that can be drawn`() {
        var random = SplitMix64(7)
        for _ in 0..<20_000 {
            var bytes = Self.request.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let request = try? RenderRequest(bytes) else { continue }
            #expect(request.setup.styles.allSatisfy { $0.problem == nil })
            #expect(request.avatars.allSatisfy { request.setup.styles.indices.contains($0.index) })
            _ = try? RenderEnding(bytes)
        }
    }
}
