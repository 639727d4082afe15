import Testing
import TondoImage
import TondoServer

@Suite struct DefaultImageTests {
    private let ada = AddressHash.md5(of: "ada@example.org")
    private let bo = AddressHash.md5(of: "bo@example.org")

    @Test(arguments: DefaultImage.Kind.allCases, [1, 2, 5, 7, 80, 300])
    func `A picture has its size and is the same each time`(kind: DefaultImage.Kind, side: Int) {
        let pixels = DefaultImage.pixels(kind, hash: ada, side: side)
        #expect(pixels.count == side * side * 4)
        #expect(pixels == DefaultImage.pixels(kind, hash: ada, side: side))
    }

    @Test func `Addresses look different, except where they must not`() {
        for kind in DefaultImage.Kind.allCases {
            let isSame =
                DefaultImage.pixels(kind, hash: ada, side: 80)
                == DefaultImage.pixels(kind, hash: bo, side: 80)
            #expect(isSame == (kind == .person || kind == .blank), "\(kind)")
        }
    }

    @Test(arguments: [DefaultImage.Kind.identicon, .retro, .person])
    func `Faces are symmetric`(kind: DefaultImage.Kind) {
        let (side, pixels) = (80, DefaultImage.pixels(kind, hash: ada, side: 80))
        for y in 0..<side {
            for x in 0..<(side / 2) {
                let (left, right) = ((y * side + x) * 4, (y * side + side - 1 - x) * 4)
                guard pixels[left..<(left + 4)] != pixels[right..<(right + 4)] else { continue }
                Issue.record("\(x), \(y)")
                return
            }
        }
    }

    @Test func `Blank is clear, and all become PNGs`() {
        #expect(DefaultImage.pixels(.blank, hash: ada, side: 3).allSatisfy { $0 == 0 })
        for kind in DefaultImage.Kind.allCases {
            let pixels = DefaultImage.pixels(kind, hash: ada, side: 80)
            #expect(PNGEncoder.encode(pixels: pixels, width: 80, height: 80).count < 4_000)
        }
    }
}
