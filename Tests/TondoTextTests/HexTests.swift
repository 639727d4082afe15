import Testing
import TondoText

@Suite struct HexTests {
    @Test func `Each byte has two digits`() {
        #expect(Hex.text([0x00, 0x0F, 0xA5, 0xFF]) == "000fa5ff")
        #expect(Hex.text([0x00, 0x0F, 0xA5, 0xFF], letters: .upper) == "000FA5FF")
        #expect(Hex.text([]) == "")
    }

    @Test func `A number has zeros in front`() {
        #expect(Hex.text(0xAB as UInt64, digits: 16) == "00000000000000ab")
        #expect(Hex.text(UInt128.max, digits: 32) == String(repeating: "f", count: 32))
        #expect(Hex.text(0x123 as UInt16, digits: 2) == "123")
    }

    @Test func `Bytes come back, in any letter case`() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Hex.bytes(Hex.text(bytes).utf8) == bytes && Hex.bytes(Hex.text(bytes, letters: .upper).utf8) == bytes)
        #expect(Hex.bytes("".utf8) == [])
    }

    @Test(arguments: ["a", "abc", "0g", "+1", "-0", " 1", "\u{FF11}1"])
    func `What is no pair of digits is refused`(text: String) {
        #expect(Hex.bytes(text.utf8) == nil)
    }
}
