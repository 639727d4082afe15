import Foundation
import Synchronization
import Testing
import TondoAvatars
import TondoContacts

@testable import TondoServer

/// Coloured squares stand for letters.
@Suite(.timeLimit(.minutes(15))) struct InitialsTests {
    private func run(
        isDrawable: Bool = true, _ body: (RunningService) async throws -> Void
    ) async throws {
        var options = AvatarPipeline.Options()
        options.initials = InitialsPhotos(rule: .tondo) { letters, _ in
            let square = Data(base64Encoded: String(Card.inline(letters.utf8.first ?? 0).dropFirst(21))) ?? Data()
            return .bytes(PhotoFile(copying: isDrawable ? Array(square) : [1, 2, 3]))
        }
        try await RunningService.run(pipeline: options, body: body)
    }

    private static func gravatar(_ mail: String, _ query: String) -> String {
        "/avatar/\(AddressHash.md5(of: mail).hexadecimal)?\(query)"
    }

    @Test func `Contacts without a usable photo have avatars with their initials`() async throws {
        try await run { service in
            let bob = try await service.get("/v1/contacts/bob/avatar")
            let eve = try await service.get("/v1/contacts/eve/avatar")
            #expect(bob.status == 200 && eve.status == 200 && bob.bytes != eve.bytes)
        }
    }

    @Test func `The key of initials is an address for ever`() async throws {
        try await run { service in
            let bob = try await service.get("/v1/contacts/bob/avatar")
            let key = try #require(bob.field("etag")).filter { $0 != "\"" }
            let named = try await service.get("/v1/contacts/bob/avatar?v=\(key)")
            #expect(named.bytes == bob.bytes && named.field("cache-control")?.contains("immutable") == true)
        }
    }

    @Test func `What cannot be drawn is the silhouette`() async throws {
        try await run(isDrawable: false) { service in
            let bob = try await service.get("/v1/contacts/bob/avatar")
            let eve = try await service.get("/v1/contacts/eve/avatar")
            #expect(bob.status == 200 && bob.bytes == eve.bytes)
        }
    }

    @Test func `Initials that can be drawn later replace the silhouette without an event`() async throws {
        let isDrawable = Mutex(false)
        var (options, pipeline) = (AvatarService.Options(), AvatarPipeline.Options())
        options.fallbackLifetime = .zero
        pipeline.initials = InitialsPhotos(rule: .tondo) { letters, _ in
            let square = Data(base64Encoded: String(Card.inline(letters.utf8.first ?? 0).dropFirst(21))) ?? Data()
            return .bytes(PhotoFile(copying: Array(isDrawable.withLock { $0 } ? square : square.prefix(50))))
        }
        try await RunningService.run(options: options, pipeline: pipeline) { service in
            let silhouette = try await service.get("/v1/contacts/bob/avatar")
            isDrawable.withLock { $0 = true }
            let initials = try await service.get("/v1/contacts/bob/avatar")
            #expect(silhouette.status == 200 && initials.status == 200 && silhouette.bytes != initials.bytes)
        }
    }

    @Test func `Initials are answered from memory`() async throws {
        try await run { service in
            for _ in 0..<3 { _ = try await service.get("/v1/contacts/bob/avatar") }
            let metrics = try await service.get("/metrics").body
            #expect(metrics.contains("tondo_http_fast_total 2"), "\(metrics)")
        }
    }

    @Test func `Events say what an avatar shows`() async throws {
        var options = AvatarPipeline.Options()
        options.initials = InitialsPhotos(rule: .tondo) { _, _ in .silhouette }
        try await RunningService.run(pipeline: options, styles: [AvatarStyle(size: 16)]) { service in
            let text = await service.received { $0.contains("event: finished") }
            #expect(text.contains(#""kind":"photo""#) && text.contains(#""kind":"initials""#))
        }
    }

    @Test func `The cache explains initials`() async throws {
        try await run { service in
            _ = try await service.get("/v1/contacts/bob/avatar")
            let why = try await service.get("/v1/cache/why/bob")
            #expect(String(decoding: why.bytes, as: UTF8.self).contains(#""verdict":"hit""#))
        }
    }

    @Test func `A default of initials shows the letters of the request`() async throws {
        try await run { service in
            let letters = try await service.get(Self.gravatar("x@example.org", "d=initials&initials=JD"))
            let name = try await service.get(Self.gravatar("x@example.org", "d=initials&name=Jane+Doe"))
            let neutral = try await service.get(Self.gravatar("x@example.org", "d=mp"))
            #expect(letters.status == 200 && letters.bytes == name.bytes && letters.bytes != neutral.bytes)
        }
    }

    @Test(arguments: ["d=initials", "d=initials&initials=!", "d=robohash&initials=JD"])
    func `Without letters there is the neutral form`(_ query: String) async throws {
        try await run { service in
            let neutral = try await service.get(Self.gravatar("x@example.org", "d=mp"))
            #expect(try await service.get(Self.gravatar("x@example.org", query)).bytes == neutral.bytes)
        }
    }

    @Test func `A mail address does not show that its contact is known`() async throws {
        try await run { service in
            #expect(try await service.get(Self.gravatar("bob@example.org", "d=404")).status == 404)
            let known = try await service.get(Self.gravatar("bob@example.org", "d=initials"))
            #expect(try await service.get(Self.gravatar("x@example.org", "d=initials")).bytes == known.bytes)
        }
    }

    @Test func `A default of initials that cannot be drawn is the neutral form`() async throws {
        try await run(isDrawable: false) { service in
            let neutral = try await service.get(Self.gravatar("x@example.org", "d=mp"))
            let letters = try await service.get(Self.gravatar("x@example.org", "d=initials&initials=JD"))
            #expect(letters.status == 200 && letters.bytes == neutral.bytes)
        }
    }
}
