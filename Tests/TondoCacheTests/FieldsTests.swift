import Testing
import TondoTestSupport

@testable import TondoCache

@Suite struct FieldsTests {
    @Test(arguments: [
        "", " ", "\n", "\r\n", "\0", "%", "%41", "=", "a=b", "a b", "\u{E9}", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}",
    ])
    func aValueComesBackAsItWas(value: String) {
        var fields = Fields()
        fields.add("name", value: value)
        #expect(Fields(fields.text)["name"].map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test func anyValuesComeBackInTheirOrder() {
        var random = SplitMix64(1)
        for _ in 0..<200 {
            var fields = Fields()
            let values = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                String(
                    String.UnicodeScalarView(
                        (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
                            Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &random))
                        }))
            }
            for value in values { fields.add("contact", value: value) }
            #expect(Fields(fields.text).all("contact").map { Array($0.utf8) } == values.map { Array($0.utf8) })
        }
    }

    @Test func theTextIsOneLineOfPrintableASCII() {
        var fields = Fields()
        fields.add(
            "name", value: String(String.UnicodeScalarView((0...0x2FF).compactMap { Unicode.Scalar($0 as UInt32) })))
        #expect(fields.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }

    @Test func wordsThatAreNoPairArePassedOver() {
        #expect(Fields("x  name=1 y").text == "name=1")
    }

    @Test(arguments: ["%", "%4", "%zz", "%+1", "%-1", "%%"])
    func aPercentSignWithoutTwoDigitsStaysAsItIs(value: String) {
        #expect(Fields("name=\(value)")["name"] == value)
    }
}
