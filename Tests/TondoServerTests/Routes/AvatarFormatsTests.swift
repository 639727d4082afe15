import Foundation
import Testing
import TondoImage

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct AvatarFormatsTests {
    private static let ada = "/v1/contacts/ada/avatar"
    private static let webp = "Accept: image/webp,*/*\r\n"

    private static func isWebP(_ response: RawResponse) -> Bool {
        response.status == 200 && response.field("content-type") == "image/webp"
            && response.bytes.withUnsafeBytes { ImageKind($0) } == .webp
    }

    private func expectWebP(_ target: String, fields: String = "", _ service: RunningService) async throws {
        let response = try await service.get(target, fields: fields)
        #expect(Self.isWebP(response), "\(target)")
    }

    @Test func `A client that accepts WebP gets it, the others PNG, and both from memory the second time`() async throws
    {
        try await RunningService.run { service in
            for _ in 0..<2 {
                let webp = try await service.get("\(Self.ada)?size=32", fields: Self.webp)
                #expect(Self.isWebP(webp) && webp.field("vary") == "Accept")
                let png = try await service.get("\(Self.ada)?size=32", fields: "Accept: image/*\r\n")
                #expect(png.field("content-type") == "image/png" && png.side == 32 && png.field("vary") == "Accept")
                #expect(png.field("etag") != webp.field("etag"))
                let tag = try #require(webp.field("etag"))
                let same = try await service.get(
                    "\(Self.ada)?size=32", fields: Self.webp + "If-None-Match: \(tag)\r\n")
                #expect(same.status == 304 && same.field("vary") == "Accept")
            }
        }
    }

    @Test func `A named format needs no Vary`() async throws {
        try await RunningService.run { service in
            let webp = try await service.get("\(Self.ada)?format=webp")
            #expect(Self.isWebP(webp) && webp.field("vary") == nil)
            let png = try await service.get("\(Self.ada)?format=png", fields: Self.webp)
            #expect(png.side == 96 && png.field("vary") == nil)
            #expect(try await service.get("\(Self.ada)?format=gif").status == 400)
        }
    }

    @Test func `A key is answered with its avatar, whatever the client accepts`() async throws {
        try await RunningService.run { service in
            let tag = try #require(try await service.get(Self.ada).field("etag"))
            let avatar = try await service.get("\(Self.ada)?v=\(tag.filter { $0 != "\"" })", fields: Self.webp)
            #expect(avatar.field("content-type") == "image/png" && avatar.field("etag") == tag)
        }
    }

    @Test func `The silhouette comes in the accepted format, too`() async throws {
        try await RunningService.run { service in
            try await expectWebP("/v1/contacts/bob/avatar", fields: Self.webp, service)
        }
    }

    @Test func `An avatar by mail address is negotiated, and its file extension counts more`() async throws {
        try await RunningService.run { service in
            let hash = AddressHash.md5(of: "ada@example.org").bytes.map { String(format: "%02x", $0) }.joined()
            for _ in 0..<2 {
                let webp = try await service.get("/avatar/\(hash)", fields: Self.webp)
                #expect(Self.isWebP(webp) && webp.field("vary") == "Accept")
                #expect(try await service.get("/avatar/\(hash)").field("content-type") == "image/png")
            }
            let png = try await service.get("/avatar/\(hash).png", fields: Self.webp)
            #expect(png.field("content-type") == "image/png" && png.field("vary") == nil)
            try await expectWebP("/avatar/\(hash).webp", service)
            try await expectWebP("/avatar/\(hash)?format=webp", service)
        }
    }
}
