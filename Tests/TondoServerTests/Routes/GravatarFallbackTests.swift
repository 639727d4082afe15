import Foundation
import NIOCore
import NIOHTTP1
import Synchronization
import Testing
import TondoAvatars
import TondoImage
import TondoJobs

@testable import TondoServer

/// What is answered for addresses whose photo cannot be shown now.
@Suite(.timeLimit(.minutes(15))) struct GravatarFallbackTests {
    private static func path(_ mail: String, _ query: String = "") -> String {
        "/avatar/" + AddressHash.md5(of: mail).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            + query
    }

    private static let eve = path("eve@example.org")

    @Test func `A photo that arrives without an event is shown once its time has come`() async throws {
        var options = AvatarService.Options()
        options.fallbackLifetime = .zero
        let cards = ["eve": Card.card("eve", photo: ";VALUE=uri:.pictures/eve.png", mail: "eve@example.org")]
        try await RunningService.run(cards, options: options) { service in
            let fallback = try await service.get(Self.eve)
            #expect(service.addressBooks.unusablePhotos.contains("eve"))
            let image = try #require(Data(base64Encoded: String(Card.inline(90).split(separator: ":").last ?? "")))
            let hidden = service.bookPath + "/.pictures"
            try FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: false)
            try image.write(to: URL(filePath: hidden + "/eve.png"))
            var response = fallback
            while response.bytes == fallback.bytes { response = try await service.get(Self.eve) }
            #expect(response.status == 200 && !service.addressBooks.unusablePhotos.contains("eve"))
        }
    }

    @Test func `A fallback is kept in memory for a while only`() {
        let clock = Ticks()
        let responseCache = ResponseCache(now: { clock.now })
        let image = AvatarResponse(bytes: ByteBuffer(string: "PNG"), type: "image/png", key: "k", policy: .seconds(300))
        let door = RequestGuard(hosts: HostGuard(), token: nil)
        responseCache.store(image, to: "/avatar/0", of: .addresses, since: 0, for: .seconds(30))
        let request = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/avatar/0", headers: ["Host": "localhost"])
        clock.advance(29)
        #expect(responseCache.response(request, from: .loopback, guard: door) != nil)
        clock.advance(1)
        #expect(responseCache.response(request, from: .loopback, guard: door) == nil)
    }

    @Test func `Known addresses without a usable photo open nothing, wait for nothing and are never refused`()
        async throws
    {
        let cards = [
            "eve": Card.card("eve", photo: ";ENCODING=b;TYPE=PNG:AAAA", mail: "eve@example.org"),
            "far": Card.card("far", photo: ";VALUE=uri:https://example.org/a.png", mail: "far@example.org"),
            "out": Card.card("out", photo: ";VALUE=uri:../out.png", mail: "out@example.org"),
        ]
        var options = AvatarPipeline.Options()
        let isLoaded = Atomic<Bool>(false)
        let opened = Atomic<Int>(0)
        options.system.opening = {
            if isLoaded.load(ordering: .relaxed) { opened.add(1, ordering: .relaxed) }
        }
        var service = AvatarService.Options()
        // However long the requests take, none of them is the one in a while that tries the photo again.
        service.fallbackLifetime = .seconds(86_400)
        let styles = [AvatarStyle(size: 16)]
        try await RunningService.run(cards, options: service, pipeline: options, styles: styles) { service in
            isLoaded.store(true, ordering: .relaxed)
            for name in ["eve", "far", "out", "unknown"] {
                let response = try await service.get(Self.path("\(name)@example.org", "?d=404"))
                #expect(response.status == 404, "\(name)")
                #expect(try await service.get(Self.path("\(name)@example.org", "?s=40")).side == 40, "\(name)")
            }
            #expect(opened.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `A changed photo is tried at once`() async throws {
        try await RunningService.run(styles: [AvatarStyle(size: 16)]) { service in
            let fallback = try await service.get(Self.eve)
            #expect(service.addressBooks.unusablePhotos.contains("eve"))
            let card = Card.card("eve", photo: Card.inline(130), mail: "eve@example.org")
            try await service.replace("eve", with: card) { $0.contains("event: avatar\n") }
            let avatar = try await service.get(Self.eve)
            #expect(avatar.status == 200 && avatar.bytes != fallback.bytes)
        }
    }

    @Test func `Clients keep an answer for as long as the setting says`() async throws {
        for (seconds, field) in [(300, "max-age=300"), (7, "max-age=7"), (0, "no-cache")] {
            var options = AvatarService.Options()
            options.maxAge = seconds
            try await RunningService.run(options: options) { service in
                for _ in 0..<2 {
                    for mail in ["ada@example.org", "unknown@example.org"] {
                        let response = try await service.get(Self.path(mail))
                        #expect(response.field("cache-control") == field)
                        let tag = try #require(response.field("etag"))
                        let same = try await service.get(Self.path(mail), fields: "If-None-Match: \(tag)\r\n")
                        #expect(same.status == 304 && same.field("cache-control") == field)
                    }
                }
            }
        }
    }
}

private final class Ticks: Sendable {
    private let time = Atomic<UInt64>(1_000)
    var now: UInt64 { time.load(ordering: .relaxed) }
    func advance(_ seconds: UInt64) { time.add(seconds * 1_000_000_000, ordering: .relaxed) }
}
