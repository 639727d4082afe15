import Dispatch
import Foundation
import SystemPackage
import Testing
import TondoAvatars
import TondoContacts
import TondoImage
import TondoTestSupport

@testable import TondoServer

/// `PUT` and `DELETE /v1/contacts/{id}/photo`.
@Suite(.timeLimit(.minutes(15))) struct PhotoChangesTests {
    private let people: ServedContacts
    private let photo: [UInt8]

    init() async throws {
        people = try await ServedContacts()
        photo = [UInt8](try Repository.data(Repository.small))
    }

    private func cards(_ files: [String: String], in folder: String) async throws {
        for (name, text) in files {
            let path = FilePath(people.folder.pathString).appending(folder).appending(name).removingLastComponent()
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
            try people.folder.write(text, to: "\(folder)/\(name)")
        }
    }

    private func serve(_ book: String) async {
        people.addressBooks.serve([FilePath(people.folder.pathString).pushing(FilePath(book))], styles: [])
        _ = await people.addressBooks.waitUntilRead()
    }

    @Test func `A photo that is set is shown to the next request, and published before the response`() async throws {
        try await people.withPhotoClient { client async throws in
            let (last, former) = (people.addressBooks.broadcaster.last, try await client.tag("bo"))
            let response = try await client.set(photo, of: "bo")
            #expect(response.status == 200 && response.json["id"] as? String == "bo" && response.entry != nil)
            let received = people.addressBooks.broadcaster.subscribe(after: last)
            await ServedContacts.wait(received, for: "contactChanged")
            #expect(try await client.client.get("/v1/contacts/bo/photo").status == 200)
            #expect(try await client.tag("bo") != former)
            #expect(try people.photo("bo").bytes == photo)
        }
    }

    @Test func `The response has the keys of the new avatar`() async throws {
        try await people.withPhotoClient { client async throws in
            let response = try await client.set(photo, of: "bo")
            let keys = try #require(response.json["avatars"] as? [String: String])
            for scale in 1...2 {
                let avatar = try await client.client.get(
                    "/v1/contacts/bo/avatar?size=96&scale=\(scale)&state=normal", fields: "Accept: image/png\r\n")
                #expect(avatar.field("etag") == "\"\(try #require(keys["\(scale)"]))\"")
            }
        }
    }

    @Test func `The response has the keys also if the loader looks at the photo meanwhile`() async throws {
        try await people.withPhotoClient { client async throws in
            let (isOver, tag) = (Locked(false), try await client.tag("bo"))
            // What a request finds out is not kept beside a look of the loader.
            let looks = Thread { [checks = people.addressBooks.photoChecks] in
                while !isOver.withLock({ $0 }) { checks.noteLook("bo") }
            }
            looks.start()
            defer { isOver.withLock { $0 = true } }
            let keys = try await client.set(photo, of: "bo", tag: tag).json["avatars"] as? [String: String]
            #expect(keys?.keys.sorted() == ["1", "2"])
        }
    }

    @Test func `A change is undone by its entry, byte for byte, and once`() async throws {
        let before = try people.card("bo")
        try await people.withPhotoClient { client async throws in
            let former = try await client.tag("bo")
            let entry = try #require(try await client.set(photo, of: "bo").entry)
            #expect(try await client.restore("bo", entry: entry).status == 200)
            #expect(try await client.tag("bo") == former)
            #expect(try people.card("bo") == before && people.trashed == 0)
            let again = try await client.restore("bo", entry: entry)
            #expect(again.status == 404 && again.code == "not-in-trash")
        }
    }

    @Test func `Without its entry no change is undone, and an entry is that of its contact alone`() async throws {
        try await people.withPhotoClient { client async throws in
            let entry = try #require(try await client.set(photo, of: "bo").entry)
            let (changed, unnamed) = (try people.card("bo"), try await client.restore("bo"))
            #expect(unnamed.status == 404 && unnamed.code == "not-in-trash")
            #expect(try await client.restore("ada", entry: entry).status == 404)
            #expect(try people.card("bo") == changed)
        }
    }

    @Test func `A change that another one followed is not undone before that`() async throws {
        try await people.withPhotoClient { client async throws in
            let first = try #require(try await client.set(photo, of: "bo").entry)
            let other = [UInt8](try Repository.data(Repository.smallPNG))
            let second = try #require(try await client.set(other, of: "bo").entry)
            let early = try await client.restore("bo", entry: first)
            #expect(early.status == 409 && early.code == "change-refused")
            #expect(try await client.restore("bo", entry: second).status == 200)
            #expect(try people.photo("bo").bytes == photo)
            #expect(try await client.restore("bo", entry: first).status == 200)
        }
    }

    @Test func `A photo is removed, and then there is none`() async throws {
        try await people.withPhotoClient { client async throws in
            let former = try await client.tag("bo")
            _ = try await client.set(photo, of: "bo")
            let response = try await client.remove("bo")
            #expect(response.status == 200 && response.entry != nil)
            #expect(try await client.client.get("/v1/contacts/bo/photo").code == "photo-not-found")
            #expect(try await client.tag("bo") == former)
            let again = try await client.remove("bo")
            #expect(again.status == 200 && again.entry == nil)
        }
    }

    @Test func `The photo that the contact has is no change`() async throws {
        try await people.withPhotoClient { client async throws in
            _ = try await client.set(photo, of: "bo")
            let changed = try people.card("bo")
            let response = try await client.set(photo, of: "bo")
            #expect(response.status == 200 && response.entry == nil)
            #expect(try people.card("bo") == changed && people.trashed == 1)
        }
    }

    @Test(arguments: ["PUT", "DELETE"]) func `A change without If-Match is refused`(_ method: String) async throws {
        try await people.withPhotoClient { client async throws in
            let response = try await client.send(
                photo, "\(method) /v1/contacts/bo/photo", fields: ServedContacts.authorization)
            #expect(response.status == 428 && response.code == "if-match-required")
            #expect(people.trashed == 0)
        }
    }

    @Test(arguments: ["\"\(String(repeating: "0", count: 64))\"", "*", "nothing", ""])
    func `A change is refused if the contact has another photo, or none`(_ tag: String) async throws {
        try await people.withPhotoClient { client async throws in
            let response = try await client.set(photo, of: "bo", tag: tag)
            #expect(response.status == 412 && response.code == "other-photo")
            #expect(people.trashed == 0)
        }
    }

    @Test func `A tag of the former photo, and a weak tag, match no more`() async throws {
        try await people.withPhotoClient { client async throws in
            let former = try await client.tag("bo")
            _ = try await client.set(photo, of: "bo")
            #expect(try await client.set(photo, of: "bo", tag: former).status == 412)
            #expect(try await client.set(photo, of: "bo", tag: "W/" + client.tag("bo")).status == 412)
        }
    }

    @Test(arguments: ["?size=33&scale=2&state=selected", "?format=webp", "?size=40&crop=top"])
    func `The tag of an avatar in any style matches, also among others`(_ query: String) async throws {
        try await people.withPhotoClient { client async throws in
            _ = try await client.set(photo, of: "bo")
            let tag = try await client.tag("bo", query)
            let other = "\"\(String(repeating: "0", count: 64))\""
            let response = try await client.set(
                [UInt8](try Repository.data(Repository.smallPNG)), of: "bo", tag: "\(other), \(tag)")
            #expect(response.status == 200)
        }
    }

    @Test func `An asterisk matches any photo`() async throws {
        try await people.withPhotoClient { client async throws in
            _ = try await client.set(photo, of: "bo")
            let png = [UInt8](try Repository.data(Repository.smallPNG))
            #expect(try await client.set(png, of: "bo", tag: "*").status == 200)
        }
    }

    @Test func `Nothing is changed without the token, and for pages of other sites`() async throws {
        try await people.withPhotoClient { client async throws in
            let tag = "If-Match: \(try await client.tag("bo"))\r\n"
            for request in ["PUT /v1/contacts/bo/photo", "DELETE /v1/contacts/bo/photo", "POST /v1/photos/preview"] {
                #expect(try await client.send(photo, request, fields: tag).status == 401)
                let foreign = "\(ServedContacts.authorization)\(tag)Origin: http://example.org\r\n"
                #expect(try await client.send(photo, request, fields: foreign).code == "cross-site")
            }
            #expect(people.trashed == 0)
        }
    }

    @Test func `A service without a trash changes no photo`() async throws {
        let people = try await ServedContacts(hasTrash: false)
        try await people.withPhotoClient { client async throws in
            let response = try await client.set(photo, of: "bo")
            #expect(response.status == 403 && response.code == "read-only")
        }
    }

    @Test func `A contact that does not exist gets none`() async throws {
        try await people.withPhotoClient { client async throws in
            let response = try await client.set(photo, of: "none", tag: "*")
            #expect(response.status == 404 && response.code == "contact-not-found")
        }
    }

    @Test func `A JSON book says that it stores no photo`() async throws {
        try await cards(["book.json": #"[{"id":"zoe","first_name":"Zoe"}]"#], in: "other")
        await serve("other/book.json")
        let id = try #require(people.addressBooks.directory.contacts.all.first?.id)
        try await people.withPhotoClient { client async throws in
            let response = try await client.set(photo, of: id)
            #expect(response.status == 409 && response.code == "change-refused")
            let detail = try #require(response.json["detail"] as? String)
            #expect(detail.contains("only vCards can store a photo, not JSON"))
        }
    }

    @Test func `A mirror of tondo sync is refused with the reason`() async throws {
        let card = "BEGIN:VCARD\nVERSION:3.0\nUID:zoe\nFN:Zoe\nEND:VCARD\n"
        try await cards(["cards/zoe.vcf": card, "lock": "", "state": ""], in: "sync/office")
        await serve("sync/office/cards")
        try await people.withPhotoClient { client async throws in
            let response = try await client.set(photo, of: "zoe")
            #expect(response.status == 409 && response.code == "change-refused")
            #expect(response.body.contains("a copy of a server (office)"))
            #expect(!response.body.contains(people.folder.pathString))
            #expect(people.trashed == 0)
        }
    }

    @Test func `A contact that another program has changed meanwhile is left as it is`() async throws {
        let folder = try #require(people.addressBooks.books.first)
        var known = try #require(people.addressBooks.directory.contact("bo"))
        known.emails = [ContactPoint("bo@example.org")]
        let trash = try #require(people.service.options.trash)
        let problem = #expect(throws: ProblemDetails.self) {
            try AvatarService.change(known, id: "bo", known: nil, from: folder, owners: [:], to: trash) {
                $0.setPhoto(nil, of: $1, now: 0)
            }
        }
        #expect(problem?.status == 409 && problem?.code == "contact-changed" && people.trashed == 0)
    }

    @Test func `While lists show the former photo, the response is 202 with the event and the entry`() async throws {
        let people = try await ServedContacts(longestPublication: .milliseconds(50))
        let (gate, broadcaster) = (DispatchSemaphore(value: 0), people.addressBooks.broadcaster)
        let (entered, entering) = AsyncStream.makeStream(of: Void.self)
        let isHolding = Locked(true)
        // A slow subscriber holds up the event of a change, and those of the photo behind it.
        broadcaster.pass { event in
            if case .contactChanged = event.event, isHolding.withLock({ $0 }) {
                entering.yield()
                gate.wait()
            }
            broadcaster.add(event)
        }
        try await people.withPhotoClient { client async throws in
            let tag = try await client.tag("bo")
            try people.folder.write("BEGIN:VCARD\nVERSION:3.0\nUID:ada\nFN:Countess\nEND:VCARD\n", to: "book/ada.vcf")
            for await _ in entered { break }
            let response = try await client.set(photo, of: "bo", tag: tag)
            isHolding.withLock { $0 = false }
            gate.signal()
            #expect(response.status == 202 && response.json["event"] as? String == "contactChanged")
            #expect(response.entry != nil && people.trashed == 1)
            let received = broadcaster.subscribe(after: UInt64(response.json["after"] as? Int ?? 0))
            await ServedContacts.wait(received, for: "contactChanged")
        }
        broadcaster.pass(to: nil)
    }

    @Test(arguments: [
        "crop=left", "crop=1,2,3", "crop=0,0,42,1", "max-side=0", "max-side=9000", "max-bytes=1kB", "max-bytes=",
        "crop=face&crop=face",
    ])
    func `Another query is refused`(_ query: String) async throws {
        try await people.withPhotoClient { client async throws in
            let response = try await client.set(photo, of: "bo", "?\(query)")
            #expect(response.status == 400 && response.code == "bad-parameter")
            #expect(people.trashed == 0)
        }
    }

    @Test func `The bounds and the crop are those of the request`() async throws {
        let sample = [UInt8](try Repository.data(Repository.sample))
        try await people.withPhotoClient { client async throws in
            #expect(try await client.set(sample, of: "bo", "?crop=centre&max-side=64&max-bytes=4000").status == 200)
            let stored = try people.photo("bo")
            let size = stored.geometry.orientedSize
            #expect(max(size.width, size.height) == 64 && stored.bytes.count <= 4_000)
            #expect(String(decoding: try people.card("bo"), as: UTF8.self).contains("X-ABCROP-RECTANGLE"))
        }
    }

    @Test func `The usual bounds are those of the command`() throws {
        let query = try PhotoUploadQuery("")
        #expect(query.bounds == StorablePhoto.Bounds(maxSide: 720, maxBytes: 100_000) && query.part == nil)
    }
}
