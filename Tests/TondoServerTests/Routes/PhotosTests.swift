import Foundation
import Testing
import TondoImage

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct PhotosTests {
    private static let ada = "/v1/contacts/ada/photo"

    /// A contact whose photo has this size, and whose avatar shows a corner of it.
    private static func cards(_ width: Int, _ height: Int) -> [String: String] {
        let pixels = (0..<width * height).flatMap { _ in [200, 90, 30, 255] as [UInt8] }
        let png = Data(PNGEncoder.encode(pixels: pixels, width: width, height: height)).base64EncodedString()
        let crop = "X-ABCROP-RECTANGLE=ABClipRect_1&0&0&2&2&x"
        return ["ada": Card.card("ada", photo: ";ENCODING=b;TYPE=PNG;\(crop):\(png)"), "bob": Card.card("bob")]
    }

    @Test func `All of a photo is in the middle of a picture of the size that is asked for`() async throws {
        try await RunningService.run(Self.cards(12, 6)) { service in
            let photo = try await service.get("\(Self.ada)?size=16&scale=2")
            #expect(photo.status == 200 && photo.side == 32 && photo.field("content-type") == "image/png")
            let pixels = try photo.bytes.withUnsafeBytes { try Canvas(showing: Photo($0), longestSide: 32).bytes }
            let rows = (0..<32).filter { pixels[$0 * 32 * 4 + 3] == 255 }
            #expect(rows == Array(8..<24))
            #expect(Array(pixels[8 * 32 * 4..<8 * 32 * 4 + 4]) == [200, 90, 30, 255])
        }
    }

    @Test func `It is never the file of the photo`() async throws {
        try await RunningService.run(Self.cards(16, 16)) { service in
            let photo = try await service.get("\(Self.ada)?size=16")
            let recipe = photo.bytes.withUnsafeBytes { AvatarText.value(of: "tondo-recipe", in: $0) }
            #expect(recipe?.contains(" shape=whole ") == true)
        }
    }

    @Test func `No proxy may keep it for others, and a client that has it gets 304`() async throws {
        try await RunningService.run(Self.cards(12, 6)) { service in
            let photo = try await service.get(Self.ada)
            let tag = try #require(photo.field("etag"))
            let key = tag.filter { $0 != "\"" }
            #expect(try await service.get("\(Self.ada)?v=\(key)").field("cache-control") == "no-cache")
            let same = try await service.get(Self.ada, fields: "If-None-Match: \(tag)\r\n")
            #expect(same.status == 304 && same.body.isEmpty && same.field("cache-control") == "no-cache")
            let avatar = try await service.get("/v1/contacts/ada/avatar")
            #expect(avatar.field("etag") != tag)
        }
    }

    @Test func `A client that accepts WebP gets it`() async throws {
        try await RunningService.run(Self.cards(12, 6)) { service in
            let photo = try await service.get(Self.ada, fields: "Accept: image/webp\r\n")
            #expect(photo.field("content-type") == "image/webp" && photo.field("vary") == "Accept")
        }
    }

    @Test(arguments: ["bob", "eve"]) func `Without a photo that can be drawn there is none`(_ id: String) async throws {
        try await RunningService.run { service in
            let photo = try await service.get("/v1/contacts/\(id)/photo")
            #expect(photo.status == 404 && photo.body.contains(#""code":"photo-not-found""#))
        }
    }

    @Test func `A contact that does not exist has none`() async throws {
        try await RunningService.run { service in
            let photo = try await service.get("/v1/contacts/none/photo")
            #expect(photo.status == 404 && photo.body.contains(#""code":"contact-not-found""#))
        }
    }

    @Test(arguments: ["size=1024&scale=1", "size=512&scale=2", "size=341&scale=3"])
    func `The longest side has 1024 pixels`(_ query: String) async throws {
        try await RunningService.run(Self.cards(12, 6)) { service in
            let photo = try await service.get("\(Self.ada)?\(query)")
            #expect(photo.status == 200)
        }
    }

    @Test(arguments: ["size=1024&scale=2", "size=342&scale=3", "size=0", "format=jpg", "style=list"])
    func `Another query is refused`(_ query: String) async throws {
        try await RunningService.run(Self.cards(12, 6)) { service in
            let photo = try await service.get("\(Self.ada)?\(query)")
            #expect(photo.status == 400 && photo.body.contains(#""code":"bad-parameter""#))
        }
    }
}
