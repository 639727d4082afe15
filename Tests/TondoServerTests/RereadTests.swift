import Foundation
import Testing
import TondoAvatars
import TondoTestSupport

@testable import TondoServer

/// A photo that is another one for a moment leaves nothing behind in the memory of responses.
@Suite(.timeLimit(.minutes(15))) struct RereadTests {
    private static func ada(_ shade: UInt8) -> String { Card.card("ada", photo: Card.inline(shade)) }

    @Test func `What was answered between two equal readings of a card is forgotten`() async throws {
        try await RunningService.run(["ada": Self.ada(10)], styles: [AvatarStyle(size: 16)]) { service in
            let (target, responseCache) = ("/v1/contacts/ada/avatar", service.service.responseCache)
            let first = try await service.get(target)
            #expect(responseCache.count == 1)
            let before = responseCache.revision
            // Equal bytes by another file: no event follows.
            try Self.ada(10).write(toFile: service.bookPath + "/.ada.tmp", atomically: false, encoding: .utf8)
            _ = rename(service.bookPath + "/.ada.tmp", service.bookPath + "/ada.vcf")
            #expect(await eventually { responseCache.revision != before })
            #expect(responseCache.count == 0)
            #expect(try await service.get(target).bytes == first.bytes)
        }
    }

    @Test func `What was answered between two equal checks of a picture is forgotten`() async throws {
        let cards = ["ada": Card.card("ada", photo: ";VALUE=uri:ada.png", mail: "ada@example.org")]
        try await RunningService.run(cards, styles: [AvatarStyle(size: 16)], isLoading: false) { service in
            let image = try #require(Data(base64Encoded: String(Card.inline(90).split(separator: ":").last ?? "")))
            let url = URL(filePath: service.bookPath + "/ada.png")
            try image.write(to: url)
            service.load([AvatarStyle(size: 16)])
            _ = await service.received { $0.contains("event: finished") }
            let responseCache = service.service.responseCache
            _ = try await service.get("/v1/contacts/ada/avatar")
            #expect(responseCache.count == 1)
            let before = responseCache.revision
            try image.write(to: url)
            #expect(await eventually { responseCache.revision != before })
            #expect(responseCache.count == 0)
        }
    }
}
