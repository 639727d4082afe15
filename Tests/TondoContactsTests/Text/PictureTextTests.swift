import Foundation
import Testing

@testable import TondoContacts

/// All writings in which pictures have been found in books.
@Suite struct PictureTextTests {
    /// The beginnings of pictures, then bytes that use the whole alphabet of base64.
    private static let pictures: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], Array("GIF89a".utf8),
        Array("RIFF\0\0\0\0WEBP".utf8),
        [0, 0, 0, 24] + Array("ftypheic".utf8),
    ].map { $0 + (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 3) } }

    private static func base64(_ picture: [UInt8]) -> String { Data(picture).base64EncodedString() }

    private static func escaped(_ text: String, _ escape: (UInt8) -> String) -> String {
        text.utf8.map { "+/=".utf8.contains($0) ? escape($0) : String(UnicodeScalar($0)) }.joined()
    }

    private static func hex(_ byte: UInt8) -> String {
        String(Int(byte) + 0x100, radix: 16, uppercase: true).suffix(2).description
    }

    private static func folded(_ text: String, by width: Int, _ fold: String) -> String {
        stride(from: 0, to: text.count, by: width).map { text.dropFirst($0).prefix(width) }.joined(separator: fold)
    }

    private static let writings: [@Sendable ([UInt8]) -> String] = [
        { base64($0) }, { folded(base64($0), by: 74, "\r\n ") }, { folded(base64($0), by: 60, " ") },
        { folded(base64($0), by: 74, "=\r\n") }, { folded(base64($0), by: 75, "=\r\n ") },
        { folded(base64($0).replacing("+", with: " "), by: 74, "\r\n ") }, { base64($0).replacing("+", with: " ") },
        { folded(base64($0).replacing("+", with: " "), by: 61, "\r\n ") },
        { "data:image/png;base64," + base64($0).replacing("+", with: " ") },
        { "\r\n\r\n" + folded(base64($0), by: 72, "\r\n\r\n") },
        { "data:image/png;base64," + base64($0) }, { "IMAGE/JPEG;BASE64," + base64($0) },
        { "data:image/jpeg\\;base64\\," + base64($0) }, { "dataimage/jpegbase64" + base64($0) },
        { "data:image/png;base64,dataimage/jpegbase64" + base64($0) }, { "PHOTO;TYPE=PNG;ENCODING=B:" + base64($0) },
        { "b'" + base64($0) + "'" }, { "\"" + base64($0) + "\"" }, { folded(base64($0), by: 60, "\\n ") },
        { folded(base64($0), by: 60, "\\r\\n") }, { base64($0).replacing("/", with: "\\/") },
        { base64($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") },
        { "data:;base64," + escaped(base64($0)) { "%" + hex($0) } },
        { folded("data:;base64," + escaped(base64($0)) { "%" + hex($0) }, by: 7, "\r\n ") },
        { "data%3Aimage%2Fpng%3Bbase64%2C" + escaped(base64($0)) { "%" + hex($0) } },
        { escaped(base64($0)) { "&#\($0);" } }, { escaped(base64($0)) { "&#x" + hex($0) + ";" } },
        { escaped(base64($0)) { "\\u00" + hex($0) } }, { escaped(base64($0)) { "=" + hex($0) } },
        { folded(base64($0), by: 61, "=0D=0A=\r\n") }, { $0.map { "=" + hex($0) }.joined() },
        { "data:image/png," + $0.map { "%" + hex($0) }.joined() },
        { folded("data:," + $0.map { "%" + hex($0) }.joined(), by: 75, "\r\n ") },
        { $0.map(hex).joined() }, { "0x" + $0.map(hex).joined() }, { $0.map(hex).joined().lowercased() },
        { base64(Array(base64($0).utf8)) },
        { base64(Array(("data:image/png;base64," + base64($0)).utf8)) },
    ]

    @Test(arguments: writings.indices)
    func `A picture is found and decoded whole in each writing`(_ index: Int) throws {
        for picture in Self.pictures {
            let text = Array(Self.writings[index](picture).utf8)
            let decoded = text.withUnsafeBytes { text -> [UInt8]? in
                PictureText.find(in: text).map { start, encoding in
                    encoding.decode(UnsafeRawBufferPointer(rebasing: text[start...]))
                }
            }
            #expect(decoded == picture, "\(String(decoding: text.prefix(60), as: UTF8.self))")
        }
    }

    @Test(arguments: [
        "", "photos/ada.jpg", "/9/j4.png", "https://example.org/x,/9j/4AAQSkZJRgABAQAAAQABAAD",
        "file:///9j/4AAQSkZJRgABAQAAAQAB",
        "GIF89a.gif", "RIFF", "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
        "cid:part3@example.org",
        "C:\\ada.png", "data:image/jpeg\\;base64", "FFD8", "hello = world",
    ])
    func `Paths, addresses and other data are no picture`(_ text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { PictureText.find(in: $0) == nil })
    }

    @Test func `A name in another format may hold a picture, too`() throws {
        let picture = Self.pictures[0]
        guard case .inline(.bytes(let bytes), _) = ContactPhoto(address: Self.base64(picture)) else {
            Issue.record("not inline")
            return
        }
        #expect(bytes == picture)
        #expect(ContactPhoto(address: "photos/ada.jpg") == .file(path: "photos/ada.jpg", crop: nil))
    }
}
