import Foundation
import Testing
import TondoAvatars
import TondoCache
import TondoImage

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct AvatarKeysTests {
    // Static: with these 64 bytes in the suite's value, Swift 6.3.1 writes 8 bytes behind the memory of the task.
    private static let one = CacheKey(recipe: "1")
    private static let two = CacheKey(recipe: "2")

    @Test func `Only avatars in the viewer's style are known`() {
        let keys = AvatarKeys()
        keys.learn(Self.one, style: AvatarQuery.viewerStyle(scale: 1), of: "ada")
        keys.learn(Self.two, style: AvatarQuery.viewerStyle(scale: 2), of: "ada")
        let json = #"{"1":"\#(Self.one.hexadecimal)","2":"\#(Self.two.hexadecimal)"}"#
        #expect(keys.keys(of: "ada")?.json == Array(json.utf8))
        keys.learn(Self.one, style: AvatarQuery.viewerStyle(scale: 1), of: "ada")
        keys.learn(Self.one, style: AvatarQuery.viewerStyle(scale: 3), of: "bo")
        keys.learn(Self.one, style: Style(size: 96), of: "bo")
        keys.learn(Self.one, style: Style(size: 95, scale: 1, state: .normal, ring: .suited(to: 95)), of: "bo")
        #expect(keys.keys(of: "bo") == nil)
        keys.forget("ada")
        #expect(keys.keys(of: "ada") == nil)
    }

    /// The keys of a contact in the list, in the index and alone.
    private func keys(_ service: RunningService, of id: String) async throws -> [[String: String]?] {
        var found: [[String: String]?] = []
        for target in ["/v1/contacts", "/v1/contacts?fields=index"] {
            let items = try await service.get(target).json["items"] as? [[String: Any]]
            found.append(items?.first { $0["id"] as? String == id }?["avatars"] as? [String: String])
        }
        found.append(try await service.get("/v1/contacts/\(id)").json["avatars"] as? [String: String])
        return found
    }

    @Test func `Contacts have the keys of their avatars, and new ones after the photo changes`() async throws {
        let styles = [1, 2].map { AvatarStyle(AvatarQuery.viewerStyle(scale: $0)) }
        try await RunningService.run(styles: styles) { service in
            let first = try await keys(service, of: "ada")
            let known = try #require(first[0])
            #expect(known.count == 2 && first.allSatisfy { $0 == known })
            for (scale, key) in known {
                let response = try await service.get(
                    "/v1/contacts/ada/avatar?size=96&scale=\(scale)&state=normal&v=\(key)")
                #expect(response.field("etag") == "\"\(key)\"")
                #expect(response.field("cache-control")?.contains("immutable") == true)
            }
            // A contact with a broken photo has the placeholder, like one without a photo.
            #expect(try await keys(service, of: "eve") == keys(service, of: "bob"))
            let photo = Card.card("ada", photo: Card.inline(99), mail: "ada@example.org")
            try await service.replace("ada", with: photo) { text in
                text.components(separatedBy: "event: avatar\n").count > 2
            }
            let second = try await keys(service, of: "ada")
            #expect(second.allSatisfy { $0 == second[0] } && second[0]?["1"] != nil)
            #expect(second[0]?["1"] != known["1"] && second[0]?["2"] != known["2"])
            try await service.remove("ada")
            #expect(service.addressBooks.avatarKeys.keys(of: "ada") == nil)
        }
    }

    @Test func `A key is known once an avatar was requested, and not after it fails`() async throws {
        try await RunningService.run { service in
            #expect(try await keys(service, of: "ada") == [nil, nil, nil])
            let avatar = try await service.get("/v1/contacts/ada/avatar?size=96&scale=2&state=normal")
            let key = try #require(avatar.field("etag")).replacingOccurrences(of: "\"", with: "")
            #expect(try await service.get("/v1/contacts/ada").json["avatars"] as? [String: String] == ["2": key])
            let broken = Card.card("ada", photo: ";ENCODING=b;TYPE=PNG:AAAA")
            try await service.replace("ada", with: broken) { $0.contains("event: contactChanged") }
            #expect(try await keys(service, of: "ada") == [nil, nil, nil])
        }
    }

    @Test func `A new photo with the bytes of the one before has the same key, which clients learn again`() async throws
    {
        let styles = [AvatarStyle(AvatarQuery.viewerStyle(scale: 1))]
        try await RunningService.run(styles: styles) { service in
            let key = try #require(service.addressBooks.avatarKeys.keys(of: "ada")?.one)
            let image = try #require(Data(base64Encoded: String(Card.inline(10).split(separator: ":").last ?? "")))
            try image.write(to: URL(filePath: service.bookPath + "/ada.png"))
            let last = service.service.broadcaster.last
            let card = Card.card("ada", photo: ";VALUE=uri:ada.png", mail: "ada@example.org")
            try await service.replace("ada", with: card) { $0.contains("event: avatar\n") }
            let events = await service.received(after: last) { $0.contains("event: avatar\n") }
            #expect(events.contains("event: contactChanged\n"))
            #expect(service.addressBooks.avatarKeys.keys(of: "ada")?.one == key)
        }
    }

    @Test func `Events of a contact have its keys`() async throws {
        let styles = [AvatarStyle(AvatarQuery.viewerStyle(scale: 1))]
        try await RunningService.run(styles: styles) { service in
            let key = try #require(service.addressBooks.avatarKeys.keys(of: "ada")?.one?.hexadecimal)
            let last = service.service.broadcaster.last
            let card = Card.card("ada", photo: Card.inline(10), mail: "ada@example.com")
            try await service.replace("ada", with: card) { $0.contains("event: contactChanged") }
            let events = await service.received(after: last) { $0.contains("event: contactChanged") }
            #expect(events.contains(#""avatars":{"1":"\#(key)"}"#))
            #expect(events.contains(#""displayName":"ada","initials":"A","section":"A""#))
        }
    }
}
