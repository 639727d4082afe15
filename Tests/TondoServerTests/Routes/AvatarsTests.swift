import Foundation
import Testing
import TondoAvatars
import TondoJobs
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct AvatarsTests {
    private static let ada = "/v1/contacts/ada/avatar"

    @Test func `A face comes with its tag, to be asked about each time`() async throws {
        try await RunningService.run { service in
            let avatar = try await service.get("\(Self.ada)?size=48&scale=2")
            #expect(avatar.status == 200 && avatar.side == 96 && avatar.corner.last == 0)
            #expect(avatar.field("content-type") == "image/png" && avatar.field("x-content-type-options") == "nosniff")
            #expect(avatar.field("cache-control") == "no-cache")
            let tag = try #require(avatar.field("etag"))
            #expect(tag.count == 66 && tag.hasPrefix("\"") && tag.hasSuffix("\""))
            #expect(try await service.get(Self.ada).side == 96)
        }
    }

    @Test func `Under its key a face is immutable, under another one it is not`() async throws {
        try await RunningService.run { service in
            let tag = try #require(try await service.get(Self.ada).field("etag"))
            let key = tag.filter { $0 != "\"" }
            for _ in 0..<2 {
                let right = try await service.get("\(Self.ada)?v=\(key)")
                #expect(right.field("cache-control") == "public, max-age=31536000, immutable")
                let wrong = try await service.get("\(Self.ada)?v=\(String(repeating: "0", count: 64))")
                #expect(wrong.status == 200 && wrong.field("cache-control") == "no-cache")
            }
        }
    }

    @Test func `A client that has the avatar gets 304, from the router and from memory`() async throws {
        try await RunningService.run { service in
            let tag = try #require(try await service.get("\(Self.ada)?size=32").field("etag"))
            for target in ["\(Self.ada)?size=32", "\(Self.ada)?size=32&fresh"] {
                let same = try await service.get(target, fields: "If-None-Match: \"x\", W/\(tag)\r\n")
                #expect(same.status == 304 && same.body.isEmpty && same.field("etag") == tag)
                #expect(same.field("cache-control") == "no-cache" && same.field("content-length") == nil)
                #expect(try await service.get(target, fields: "If-None-Match: \"x\"\r\n").status == 200)
            }
        }
    }

    @Test func `HEAD says what GET would, from the router and from memory`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            let cold = try await client.head(Self.ada)
            let whole = try await client.get(Self.ada)
            let warm = try await client.head(Self.ada)
            #expect(cold.timeless.lowercased() == warm.timeless.lowercased())
            #expect(warm.field("content-length") == "\(whole.bytes.count)" && whole.bytes.count > 0)
            for target in ["\(Self.ada)?fresh", Self.ada] {
                let same = try await client.head(target, fields: "If-None-Match: *\r\n")
                #expect(same.status == 304 && same.field("content-length") == nil)
            }
        }
    }

    @Test func `A state keeps room for the ring, and selecting shows it`() async throws {
        try await RunningService.run { service in
            let plain = try await service.get("\(Self.ada)?size=64")
            let normal = try await service.get("\(Self.ada)?size=64&state=normal")
            let selected = try await service.get("\(Self.ada)?size=64&state=selected")
            #expect(Set([plain, normal, selected].map { $0.field("etag") }).count == 3)
        }
    }

    @Test func `A style is drawn by its name, and the other parameters change nothing`() async throws {
        var options = AvatarService.Options()
        options.styles = ["list": AvatarStyle("list", size: 20, scale: 3)]
        try await RunningService.run(options: options) { service in
            #expect(try await service.get("\(Self.ada)?style=list").side == 60)
            #expect(try await service.get("\(Self.ada)?style=list&size=300&scale=1&state=selected").side == 60)
            let unknown = try await service.get("\(Self.ada)?style=other")
            #expect(unknown.status == 400 && unknown.body.contains("style"))
        }
    }

    @Test(arguments: [
        "size=0", "size=1025", "size=x", "size=+5", "size=", "size", "size=5&size=6", "scale=0", "scale=4",
        "state=chosen", "style=%ff", "v=1", "wait=2", "size=99999999999999999999", "size=%2e%2e",
    ])
    func `A bad value is refused by its name`(query: String) async throws {
        try await RunningService.run { service in
            let refused = try await service.get("\(Self.ada)?\(query)")
            #expect(refused.status == 400 && refused.body.contains("bad-parameter"))
            #expect(refused.body.contains(query.prefix { $0 != "=" }) && refused.field("cache-control") == nil)
        }
    }

    @Test func `A contact that is not in the book has no avatar`() async throws {
        try await RunningService.run { service in
            for id in ["nobody", "%61", "..%2fada", "%ff", "%", "ada%00"] {
                let missing = try await service.get("/v1/contacts/\(id)/avatar")
                #expect(missing.status == 404 && missing.body.contains("contact-not-found"), "\(id)")
            }
            #expect(try await service.get("/v1/contacts/%61da/avatar").status == 200)
        }
    }

    @Test func `A contact with an id of 1,024 bytes, with slashes among them, is reachable`()
        async throws
    {
        let id = String(repeating: "a/", count: 512)
        let card = Card.card("long", photo: Card.inline(130)).replacing("UID:long", with: "UID:\(id)")
        try await RunningService.run(["long": card]) { service in
            let path = "/v1/contacts/" + String(repeating: "a%2F", count: 512)
            let contact = try await service.get(path)
            #expect(contact.status == 200 && contact.json["id"] as? String == id)
            let avatar = try await service.get(path + "/avatar")
            #expect(avatar.status == 200 && avatar.side == 96)
        }
    }

    @Test func `Who has no usable photo gets the placeholder, under a key of its own`() async throws {
        try await RunningService.run { service in
            let bob = try await service.get("/v1/contacts/bob/avatar")
            let eve = try await service.get("/v1/contacts/eve/avatar")
            #expect(bob.status == 200 && eve.status == 200 && bob.bytes == eve.bytes)
            #expect(bob.field("etag") == eve.field("etag"))
            #expect(try await service.get(Self.ada).field("etag") != bob.field("etag"))
        }
    }

    @Test func `Without waiting the placeholder comes at once, and the face later`() async throws {
        var options = AvatarPipeline.Options()
        // The test's machine may be too busy to open a photo in time.
        options.slowOpening = .seconds(3600)
        try await RunningService.run(pipeline: options) { service in
            service.addressBooks.pipeline.pause()
            let early = try await service.get("\(Self.ada)?wait=0")
            #expect(early.status == 202 && early.field("cache-control") == "no-store" && early.field("etag") == nil)
            #expect(early.side == 96 && service.service.responseCache.count == 0)
            service.addressBooks.pipeline.resume()
            let avatar = try await service.get(Self.ada)
            let late = try await service.get("\(Self.ada)?wait=0")
            #expect(late.status == 200 && late.bytes == avatar.bytes && late.bytes != early.bytes)
        }
    }

    @Test func `Without waiting nothing waits for generated pictures or for other photos`() async throws {
        try await RunningService.run { service in
            service.addressBooks.pipeline.pause()
            service.service.generatedAvatars.pause()
            let early = try await service.get("\(Self.ada)?wait=0&size=33")
            #expect(early.status == 202 && early.side == 96)
            service.service.generatedAvatars.resume()
            service.addressBooks.pipeline.resume()
        }
    }

    @Test func `A full queue says when to come again`() async throws {
        var pipeline = AvatarPipeline.Options()
        pipeline.queue.depth = 1
        try await RunningService.run(pipeline: pipeline) { service in
            service.addressBooks.pipeline.pause()
            #expect(try await service.get("\(Self.ada)?wait=0").status == 202)
            let refused = try await service.get("\(Self.ada)?size=95")
            #expect(refused.status == 503 && refused.field("retry-after") == "1")
            #expect(refused.body.contains("queue-full") && refused.field("cache-control") == nil)
            service.addressBooks.pipeline.resume()
        }
    }

    @Test func `A thousand requests at once for a missing face make one decode`() async throws {
        try await RunningService.run { service in
            let pipeline = service.addressBooks.pipeline
            pipeline.pause()
            let tags = try await withThrowingTaskGroup { group in
                for _ in 0..<1_000 { group.addTask { try await service.get("\(Self.ada)?size=77").field("etag") } }
                #expect(await eventually { pipeline.counters.coalesced >= 999 })
                pipeline.resume()
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(tags.count == 1 && tags.values.first == 1_000)
            #expect(pipeline.counters.done == 1)
        }
    }

    @Test func `An avatar that was drawn with a larger one is found by its published URL`() async throws {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
        let photo = try Data(contentsOf: root.appending(path: "assets/samples/ada.jpg"))
        let cards = ["ada": Card.card("ada", photo: ";ENCODING=b;TYPE=JPEG:" + photo.base64EncodedString())]
        let styles = [AvatarStyle(size: 96, isSelectable: true), AvatarStyle(size: 96, scale: 2, isSelectable: true)]
        try await RunningService.run(cards, styles: styles) { service in
            let recorded = await service.received { $0.contains("event: finished") }
            let done = service.addressBooks.pipeline.counters.done
            for match in recorded.matches(of: /"url":"([^"]+v=([0-9a-f]{64}))"/) {
                let avatar = try await service.get(String(match.1).replacing("\\/", with: "/"))
                #expect(avatar.field("etag") == "\"\(match.2)\"")
                #expect(avatar.field("cache-control")?.contains("immutable") == true)
            }
            #expect(service.addressBooks.pipeline.counters.done == done)
        }
    }

    @Test func `A photo that only moved within its file is found`() async throws {
        let others = Card.card("bo", photo: Card.inline(20)) + Card.card("cy")
        try await RunningService.run(["three": Card.card("ada", photo: Card.inline(10)) + others]) { service in
            let changed = Card.card("ada", photo: Card.inline(10), mail: "ada@example.org") + others
            try await service.replace("three", with: changed) { $0.contains("event: contactChanged") }
            let bo = try await service.get("/v1/contacts/bo/avatar?size=21")
            let silhouette = try await service.get("/v1/contacts/cy/avatar?size=21")
            #expect(bo.status == 200 && bo.field("etag") != silhouette.field("etag"))
        }
    }

    @Test func `A key opens no other contact's avatar, and no other style`() async throws {
        try await RunningService.run(styles: [AvatarStyle(size: 40)]) { service in
            let recorded = await service.received { $0.contains("event: finished") }
            let key = try #require(recorded.firstMatch(of: /"contact":"ada"[^\n]*v=([0-9a-f]{64})/)?.1)
            for target in ["bob/avatar?size=40&v=\(key)", "ada/avatar?size=41&v=\(key)"] {
                let avatar = try await service.get("/v1/contacts/" + target)
                #expect(
                    avatar.field("etag") != "\"\(key)\"" && avatar.field("cache-control") == "no-cache", "\(target)")
            }
        }
    }

    @Test func `The URL of an event leads to exactly that avatar, for ever`() async throws {
        let styles = [AvatarStyle(size: 40), AvatarStyle("ring", size: 41, scale: 2, isSelected: true)]
        try await RunningService.run(styles: styles) { service in
            let recorded = await service.received { $0.contains("event: finished") }
            let addresses = recorded.matches(of: /"url":"([^"]+)"/).map { String($0.1).replacing("\\/", with: "/") }
            #expect(addresses.count == 6)
            for address in addresses {
                let avatar = try await service.get(address)
                #expect(
                    avatar.status == 200 && avatar.field("cache-control")?.contains("immutable") == true, "\(address)")
            }
        }
    }
}
