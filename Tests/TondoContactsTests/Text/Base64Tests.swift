import Foundation
import Testing

@testable import TondoContacts

@Suite struct Base64Tests {
    private func decode(_ text: String) -> [UInt8] { Array(text.utf8).withUnsafeBytes { Base64.decode($0) } }

    @Test func `Any length comes back, wherever the lines are folded`() {
        for length in 0..<200 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
            let text = Data(bytes).base64EncodedString()
            for width in [1, 3, 4, 5, 75, 76, 1000] {
                let folded = stride(from: 0, to: text.count, by: width)
                    .map { text.dropFirst($0).prefix(width) }.joined(separator: "\r\n ")
                #expect(decode(folded) == bytes, "length \(length), width \(width)")
            }
        }
    }

    @Test func `Missing padding is no harm, and a lone last character is dropped`() {
        #expect(decode("QUJD") == Array("ABC".utf8))
        #expect(decode("QUI") == Array("AB".utf8))
        #expect(decode("QQ") == Array("A".utf8))
        #expect(decode("QUJDQ") == Array("ABC".utf8))
        #expect(decode("=") == [])
    }

    @Test func `Padding in the middle ends a group only`() {
        #expect(decode("QQ==QUI=QUJD") == Array("AABABC".utf8))
    }

    @Test func `Only the beginning of a long text is decoded for its head`() {
        let text = Array((String(repeating: "\r\n ", count: 9) + String(repeating: "QUJD", count: 100)).utf8)
        let head = text.withUnsafeBytes { Base64.head($0, count: 8) }
        #expect(head == Array("ABCABCAB".utf8))
    }
}
