import Testing

@testable import TondoImage

@Suite struct DeflateSymbolTests {
    // RFC 1951 section 3.2.5.
    @Test(arguments: [(3, 257, 0), (10, 264, 0), (11, 265, 0), (12, 265, 1), (227, 284, 0), (257, 284, 30)])
    func `Lengths have the symbols of the standard`(length: Int, symbol: Int, extra: Int) {
        let code = DeflateSymbol(length: length)
        #expect(code.symbol == symbol)
        #expect(code.extra == UInt64(extra))
    }

    @Test func `The longest length has a symbol of its own`() {
        #expect(DeflateSymbol(length: 258).symbol == 285)
        #expect(DeflateSymbol(length: 258).extraWidth == 0)
    }

    @Test(arguments: [(1, 0, 0), (4, 3, 0), (5, 4, 0), (6, 4, 1), (24_577, 29, 0), (32_768, 29, 8191)])
    func `Distances have the symbols of the standard`(distance: Int, symbol: Int, extra: Int) {
        let code = DeflateSymbol(distance: distance)
        #expect(code.symbol == symbol)
        #expect(code.extra == UInt64(extra))
    }
}
