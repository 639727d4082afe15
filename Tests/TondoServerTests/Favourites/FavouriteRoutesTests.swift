import Foundation
import Logging
import NIOCore
import SystemPackage
import Testing
import TondoAvatars
import TondoCache
import TondoTestSupport

@testable import TondoServer

/// A service with favourites over books that a test writes.
@Suite(.timeLimit(.minutes(15))) struct FavouriteRoutesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write(["ada": Self.ada, "bo": Self.card("UID:bo", "FN:Bo Berg", "TEL:+46 8 123 45 67")])
    }

    private static func card(_ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    private static let ada = card("UID:ada", "FN:Ada Lovelace", "EMAIL:ada@example.org")

    private func write(_ cards: [String: String], book: String = "book") throws {
        let path = folder.pathString + "/" + book
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, card) in cards { try folder.write(card, to: "\(book)/\(name).vcf") }
    }

    private func remove(_ name: String, book: String = "book") throws {
        try FileManager.default.removeItem(atPath: folder.pathString + "/\(book)/\(name).vcf")
    }

    private var trash: Trash { Trash(FilePath(folder.pathString + "/trash")) }

    /// Runs a service with these books from its start to its end.
    private func run(_ books: [String] = ["book"], body: (Service) async throws -> Void) async throws {
        let cache = try AvatarCache(FilePath(folder.pathString + "/cache"))
        let favourites = Favourites(file: FilePath(folder.pathString + "/favourites.json"))
        let addressBooks = AddressBookService(
            AvatarPipeline(cache: cache, .patient), broadcaster: EventBroadcaster(), trash: trash,
            favourites: favourites)
        let token = try AccessToken(file: folder.write(ServedContacts.token, to: "token"))
        var options = AvatarService.Options()
        options.trash = trash
        let service = AvatarService(
            addressBooks, cache: cache, guard: RequestGuard(hosts: HostGuard(), token: token), options: options,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        try await RunningServer.run(fastPath: service.response, respond: service.respond()) { server in
            let running = Service(service: service, server: server, folder: folder)
            await running.serve(books)
            try await body(running)
        }
        addressBooks.stop()
        favourites.flush()
    }

    struct Service {
        let service: AvatarService
        let server: RunningServer
        let folder: TemporaryFolder

        var addressBooks: AddressBookService { service.addressBooks }

        /// Another style reads all books again.
        func serve(_ books: [String], size: Int = 16) async {
            let paths = books.map { FilePath(folder.pathString + "/" + $0) }
            addressBooks.serve(paths, styles: [AvatarStyle(size: size)])
            _ = await addressBooks.waitUntilRead()
            // Behind what follows the reading.
            addressBooks.eventQueue.sync {}
        }

        func get(_ target: String) async throws -> RawResponse {
            let client = try await server.client()
            let response = try await client.get(target)
            try await client.close()
            return response
        }

        @discardableResult
        func star(_ id: String, _ method: String = "PUT", authorization: String = ServedContacts.authorization)
            async throws -> Int
        {
            let client = try await server.client()
            let target = "/v1/contacts/\(id)/favourite"
            let response = try await client.get(target, method: method, fields: authorization + "Content-Length: 0\r\n")
            try await client.close()
            return response.status
        }

        var favourites: [String] {
            get async throws { try await get("/v1/contacts?filter=favourite").ids }
        }

        /// Until the favourites are these: a book changes when its watcher has seen it.
        func wait(for ids: [String]) async throws {
            while try await favourites != ids { await Task.yield() }
        }
    }

    @Test func `A contact becomes a favourite and is none any more, as often as one asks`() async throws {
        try await run { service async throws in
            for _ in 0..<2 { #expect(try await service.star("bo") == 204) }
            #expect(try await service.favourites == ["bo"])
            let items = try await service.get("/v1/contacts").json["items"] as? [[String: Any]]
            #expect(items?.map { $0["favourite"] as? Bool } == [nil, true])
            let index = try await service.get("/v1/contacts?fields=index&filter=favourite")
            #expect(index.ids == ["bo"] && index.body.contains(#""favourite":true"#))
            #expect(try await service.get("/v1/contacts/bo").json["favourite"] as? Bool == true)
            #expect(try await service.get("/v1/contacts/ada").json["favourite"] == nil)
            for _ in 0..<2 { #expect(try await service.star("bo", "DELETE") == 204) }
            #expect(try await service.favourites == [])
            #expect(try await service.get("/v1/contacts").body.contains("favourite") == false)
        }
    }

    @Test(arguments: ["PUT", "DELETE"])
    func `Without the token, or for an unknown contact, nothing changes`(method: String) async throws {
        try await run { service async throws in
            #expect(try await service.star("bo", method, authorization: "") == 401)
            #expect(try await service.star("nobody", method) == 404)
            #expect(service.addressBooks.favourites.isEmpty)
        }
    }

    @Test func `A service without a place for them refuses favourites`() async throws {
        let people = try await ServedContacts()
        try await people.withClient { client async throws in
            let response = try await client.get(
                "/v1/contacts/bo/favourite", method: "PUT",
                fields: ServedContacts.authorization + "Content-Length: 0\r\n")
            #expect(response.status == 403 && response.json["code"] as? String == "read-only")
        }
    }

    @Test func `Each change is one event with the contact and its place, and another revision`() async throws {
        try await run { service async throws in
            let (last, revision) = (service.service.broadcaster.last, service.addressBooks.revision)
            for method in ["PUT", "PUT", "DELETE"] { try await service.star("bo", method) }
            let subscriber = service.service.broadcaster.subscribe(after: last)
            var text = ""
            while text.components(separatedBy: "event: contactChanged").count < 3,
                case .events(let bytes) = await subscriber.next()
            { text += String(buffer: bytes) }
            let events = text.split(separator: "\n").filter { $0.hasPrefix("data: {\"event\":\"contactChanged\"") }
            #expect(events.count == 2)
            #expect(events.map { $0.contains("\"favourite\":true") } == [true, false])
            #expect(events.allSatisfy { $0.contains("\"position\":1,\"total\":2") && $0.contains("\"id\":\"bo\"") })
            #expect(service.addressBooks.revision != revision)
        }
    }

    @Test func `Favourites are one more condition, and are sorted like any list`() async throws {
        try await run { service async throws in
            for id in ["bo", "ada"] { try await service.star(id) }
            #expect(try await service.get("/v1/contacts?filter=favourite&sort=given-desc").ids == ["bo", "ada"])
            #expect(try await service.get("/v1/contacts?filter=email,favourite").ids == ["ada"])
            #expect(try await service.get("/v1/contacts?filter=favourite&search=berg").ids == ["bo"])
            #expect(try await service.get("/v1/sections?filter=favourite&sort=given").json["total"] as? Int == 2)
        }
    }

    @Test func `A favourite stays one over restarts, reloads, and a card that changes`() async throws {
        try await run { service async throws in try await service.star("bo") }
        try write(["bo": Self.card("UID:bo", "FN:Robert Berg", "TEL:+46 8 765 43 21")])
        try await run { service async throws in
            #expect(try await service.favourites == ["bo"])
            await service.serve(["book"], size: 17)
            #expect(try await service.favourites == ["bo"])
        }
    }

    // A reader that deletes all contacts before it adds them again lost them: tuxgasy/SyncDav#15.
    @Test func `A favourite that is away is one again when it comes back`() async throws {
        try await run { service async throws in
            try await service.star("ada")
            try remove("ada")
            try await service.wait(for: [])
            #expect(service.addressBooks.favourites.all.count == 1)
        }
        try await run { service async throws in
            #expect(try await service.favourites == [])
            try write(["ada": Self.ada])
            try await service.wait(for: ["ada"])
        }
    }

    @Test func `A favourite in the trash comes back as one, and its double does not become one`() async throws {
        try write(["copy": Self.card("UID:copy", "FN:Ada Lovelace", "EMAIL:ada@example.org")])
        try await run { service async throws in
            try await service.star("ada")
            let client = try await service.server.client()
            let fields = ServedContacts.authorization + "Content-Length: 0\r\n"
            #expect(try await client.get("/v1/contacts/ada", method: "DELETE", fields: fields).status == 204)
            #expect(try await service.favourites == [])
            #expect(try await client.get("/v1/contacts/ada/restore", method: "POST", fields: fields).status == 200)
            #expect(try await service.favourites == ["ada"])
        }
    }

    // A new UID for each contact, as after an export and import.
    @Test func `A contact with another id is known again by its name and an address`() async throws {
        try await run { service async throws in try await service.star("ada") }
        try write(["ada": Self.card("UID:other", "FN:ADA Lovelace", "EMAIL:Ada@example.org", "TEL:+46 8 1")])
        try await run { service async throws in #expect(try await service.favourites == ["other"]) }
        // It goes on from what is known now.
        try write(["ada": Self.card("UID:third", "FN:Ada Lovelace", "EMAIL:ada@example.org")])
        try await run { service async throws in
            #expect(try await service.favourites == ["third"])
            // The first one takes its place again.
            try write(["again": Self.card("UID:ada", "FN:Ada", "EMAIL:a@example.org")])
            try await service.wait(for: ["ada"])
            #expect(try await service.star("ada", "DELETE") == 204)
            #expect(service.addressBooks.favourites.isEmpty)
        }
    }

    @Test func `A card without an id stays a favourite while it is edited`() async throws {
        try write(["cy": Self.card("FN:Cy Adams", "TEL:+46 8 111 22 33")])
        try await run { service async throws in
            let all = try await service.get("/v1/contacts").ids
            let id = try #require(all.first { $0.hasPrefix("tondo-") })
            try await service.star(id)
            for card in [
                Self.card("FN:Cy Adams", "TEL:+46 8 111 22 33", "EMAIL:cy@example.org"),
                Self.card("FN:Cyrus Adams", "EMAIL:cy@example.org"),
            ] {
                let last = try await service.favourites
                try write(["cy": card])
                while try await [last, []].contains(service.favourites) { await Task.yield() }
            }
            #expect(try await service.get("/v1/contacts?filter=favourite").body.contains("Cyrus"))
        }
    }

    @Test func `Of two that look like a lost favourite, neither becomes one`() async throws {
        try await run { service async throws in try await service.star("ada") }
        try remove("ada")
        let same = ["FN:Ada Lovelace", "EMAIL:ada@example.org"]
        try write(["x": Self.card("UID:x", same[0], same[1]), "y": Self.card("UID:y", same[0], same[1], "NOTE:y")])
        try await run { service async throws in
            #expect(try await service.favourites == [])
            #expect(service.addressBooks.favourites.all.count == 1)
        }
    }

    @Test func `An id that several cards have stays with the favourite's card`() async throws {
        let (one, other) = (Self.card("UID:dup", "FN:Alice"), Self.card("UID:dup", "FN:Bob"))
        try write(["bo": one + other])
        try await run { service async throws in
            let second = try #require(try await service.get("/v1/contacts?search=bob").ids.first)
            #expect(second.hasPrefix("dup-"))
            for id in ["dup", second] { try await service.star(id) }
        }
        try write(["bo": other])
        try await run { service async throws in
            #expect(try await service.get("/v1/contacts/dup").json["displayName"] as? String == "Bob")
            #expect(try await service.favourites == ["dup"])
            try await service.star("dup", "DELETE")
            // Alice is one still.
            #expect(service.addressBooks.favourites.all.map(\.name) == ["alice"])
        }
        try write(["bo": one + other])
        try await run { service async throws in
            let favourites = try await service.get("/v1/contacts?filter=favourite")
            #expect(favourites.ids == ["dup"] && favourites.body.contains("Alice"))
        }
    }

    @Test func `Ids with another number of their book are those of the same favourites`() async throws {
        try write(["cy": Self.card("UID:cy", "FN:Cy")], book: "second")
        try await run(["book", "second"]) { service async throws in
            try await service.star("2~cy")
            await service.serve(["second", "book"])
            #expect(try await service.favourites == ["cy"])
            await service.serve(["book"])
            #expect(try await service.favourites == [])
            await service.serve(["book", "second"])
            #expect(try await service.favourites == ["2~cy"])
        }
    }

    @Test func `A book at another path has the favourites of one that is served no longer`() async throws {
        try await run { service async throws in try await service.star("bo") }
        let path = folder.pathString
        try FileManager.default.moveItem(atPath: path + "/book", toPath: path + "/moved")
        try await run(["moved"]) { service async throws in #expect(try await service.favourites == ["bo"]) }
    }

    // All sources of one contact became favourites: Goodwy/Contacts#9.
    @Test func `A star is on one contact, and is seen on the person`() async throws {
        try write(["copy": Self.card("UID:copy", "FN:Ada Lovelace", "EMAIL:ada@example.org")], book: "second")
        try await run(["book", "second"]) { service async throws in
            try await service.star("2~copy")
            #expect(try await service.favourites == ["2~copy"])
            let joined = try await service.get("/v1/contacts?filter=favourite&duplicates=joined")
            #expect(joined.ids == ["ada"])
            let more = #""favourite":true,"also":[{"id":"2~copy","book":2,"favourite":true}]"#
            #expect(joined.body.contains(more))
        }
    }
}
