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

    @Test(arguments: [
        ("&#43;", "&#47;"), ("&#x2B;", "&#x2f;"), ("\\u002b", "\\u002F"), ("%2B", "%2f"), ("+\\n", "\\/"),
        ("&nbsp;+", "\\r/"),
    ])
    func `An escape is the character that it means, wherever a fold cuts it`(plus: String, slash: String) {
        let text = "/9j+4AB/"
        let escaped = Array(text.replacing("+", with: plus).replacing("/", with: slash).utf8)
        for fold in ["\r\n ", "\n\t", "\n  "] {
            for place in 0...escaped.count {
                let folded = escaped[..<place] + Array(fold.utf8) + escaped[place...]
                #expect(Array(folded).withUnsafeBytes { Base64.decode($0) } == decode(text), "fold at \(place)")
            }
        }
        #expect(decode("QU\\\nJD") == decode("QUJD") && decode("QU\\\nnD") == decode("QUnD"))
    }

    @Test(arguments: ["&#43;", "\\u002b"]) func `A photo of a card is whole, however long its lines are`(plus: String)
        throws
    {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<800).map { [0xFB, 0xEF, 0xBE, 0x01][$0 % 4] }
        let text = "PHOTO;ENCODING=b;TYPE=JPEG:" + Data(picture).base64EncodedString().replacing("+", with: plus)
        for width in 70...80 {
            let lines = stride(from: 0, to: text.count, by: width).map { text.dropFirst($0).prefix(width) }
            let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\n\(lines.joined(separator: "\r\n "))\r\nEND:VCARD\r\n"
            let photo = try #require(try Reading(card).contacts.first?.photo)
            guard case .inline(.encoded(let encoded), _) = photo else {
                Issue.record("no photo inside")
                continue
            }
            #expect(try Self.decoded(encoded, in: card) == picture, "width \(width)")
        }
    }

    private static func decoded(_ photo: EncodedPhoto, in text: String) throws -> [UInt8] {
        try Array(text.utf8)[photo.bytes].withUnsafeBytes { bytes in
            Result { () throws(ContactsError) in try photo.decoded(from: bytes) }
        }.get()
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
