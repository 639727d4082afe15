import Dispatch
import Foundation
import NIOCore
import Synchronization
import SystemPackage
import Testing
import TondoAvatars
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct ContactChangesTests {
    private let people: ServedContacts

    init() async throws { people = try await ServedContacts() }

    private static func card(_ id: String, _ name: String) -> String {
        "BEGIN:VCARD\nVERSION:3.0\nUID:\(id)\nFN:\(name)\nEND:VCARD\n"
    }

    private func remove(_ id: String, _ client: RawClient) async throws -> RawResponse {
        try await client.get("/v1/contacts/\(id)", method: "DELETE", fields: ServedContacts.authorization)
    }

    private func restore(_ id: String, _ client: RawClient) async throws -> RawResponse {
        try await client.get(
            "/v1/contacts/\(id)/restore", method: "POST", fields: ServedContacts.authorization + "Content-Length: 0\r\n"
        )
    }

    private func remove(
        _ contact: Contact, known: BookContents?, from book: FilePath, owners: Identities.Owners = [:], to trash: Trash
    ) throws(ProblemDetails) -> BookChange.Outcome? {
        try AvatarService.change(contact, id: contact.id, known: known, from: book, owners: owners, to: trash) {
            $0.remove([$1], now: 0).first
        }
    }

    /// Serves these files instead.
    private func serve(_ files: [String: String]) async throws {
        let folder = people.folder.pathString + "/other"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files { try people.folder.write(text, to: "other/\(name)") }
        people.addressBooks.serve([FilePath(folder)], styles: [])
        _ = await people.addressBooks.waitUntilRead()
    }

    /// The file of a contact as it was read last, once the book is read.
    private func known(_ id: String) async -> BookContents? {
        while true {
            let loader = people.addressBooks.loader(of: people.addressBooks.books[0])
            if let known = loader?.contents(with: id) { return known }
            await Task.yield()
        }
    }

    @Test func `Every change is visible to the next request, and published before its response`() async throws {
        try await people.withClient { client async throws in
            for _ in 0..<10 { try await removeAndRestore(client) }
        }
    }

    private func removeAndRestore(_ client: RawClient) async throws {
        let last = people.addressBooks.broadcaster.last
        #expect(try await remove("bo", client).status == 204)
        #expect(people.addressBooks.broadcaster.last > last)
        #expect(try await client.get("/v1/contacts/bo").status == 404)
        #expect(try await client.get("/v1/contacts").ids == ["ada", "cy"])
        let removed = people.addressBooks.broadcaster.last
        #expect(try await restore("bo", client).status == 200)
        #expect(people.addressBooks.broadcaster.last > removed)
        #expect(try await client.get("/v1/contacts").ids == ["ada", "bo", "cy"])
    }

    @Test func `A contact of a mirror stays, and the response says why`() async throws {
        try await serve(["work/cards/ada.vcf": Self.card("ada", "Ada"), "work/lock": "", "work/state": ""])
        try await people.withClient { client async throws in
            let response = try await remove("ada", client)
            #expect(response.status == 409 && response.json["code"] as? String == "change-refused")
            #expect((response.json["detail"] as? String)?.contains("(work)") == true)
            #expect(try await client.get("/v1/contacts/ada").status == 200)
        }
    }

    @Test func `One of two equal cards is removed once, and the other keeps its id`() async throws {
        try await serve(["dup.vcf": Self.card("dup", "Ada") + Self.card("dup", "Ada")])
        try await people.withClient { client async throws in
            let ids = try await client.get("/v1/contacts").ids
            #expect(ids.count == 2 && ids[0] == "dup")
            #expect(try await remove("dup", client).status == 204)
            #expect(try await client.get("/v1/contacts/dup").status == 404)
            #expect(try await remove("dup", client).status == 404)
            #expect(try await client.get("/v1/contacts").ids == [ids[1]])
            people.addressBooks.serve(people.addressBooks.books, styles: [AvatarStyle(size: 17)])
            _ = await people.addressBooks.waitUntilRead()
            #expect(try await client.get("/v1/contacts").ids == [ids[1]])
            #expect(try await restore("dup", client).status == 200)
            #expect(try await Set(client.get("/v1/contacts").ids) == Set(ids))
        }
    }

    @Test func `A change is seen in every book that the file belongs to`() async throws {
        let book = FilePath(people.folder.pathString + "/book")
        people.addressBooks.serve([book, book.appending("bo.vcf"), book], styles: [])
        _ = await people.addressBooks.waitUntilRead()
        try await people.withClient { client async throws in
            #expect(try await client.get("/v1/contacts").ids == ["ada", "bo", "cy", "2~bo", "3~ada", "3~bo", "3~cy"])
            #expect(try await remove("bo", client).status == 204)
            #expect(try await client.get("/v1/contacts").ids == ["ada", "cy", "3~ada", "3~cy"])
        }
    }

    @Test(arguments: [false, true])
    func `A book of one file that is removed by the service loses its contact, although it counts as lost already`(
        isLink: Bool
    ) async throws {
        let file = FilePath(people.folder.pathString).withoutLinks.appending("book/bo.vcf")
        let book = isLink ? FilePath(people.folder.pathString + "/link.vcf") : file
        if isLink { try FileManager.default.createSymbolicLink(atPath: book.string, withDestinationPath: file.string) }
        people.addressBooks.serve([book], styles: [])
        _ = await people.addressBooks.waitUntilRead()
        try FileManager.default.removeItem(atPath: file.string)
        while people.addressBooks.state.withLock({ $0.progress[0].problem == nil }) { await Task.yield() }
        #expect(people.addressBooks.directory.contact("bo") != nil)
        #expect(await people.addressBooks.waitUntilPublished(file) { true })
        #expect(people.addressBooks.directory.contact("bo") == nil)
    }

    @Test func `A repeated removal removes no other contact with the same UID`() async throws {
        try await serve(["dup.vcf": Self.card("dup", "Alice") + Self.card("dup", "Bob")])
        try await people.withClient { client async throws in
            let ids = try await client.get("/v1/contacts").ids
            #expect(ids.count == 2 && ids[0] == "dup")
            #expect(try await remove("dup", client).status == 204)
            #expect(try await remove("dup", client).status == 404)
            #expect(try await client.get("/v1/contacts").ids == [ids[1]])
            // After a reload, too.
            let books = [FilePath(people.folder.pathString + "/other"), "/nowhere"]
            people.addressBooks.serve(books, styles: [AvatarStyle(size: 17)])
            _ = await people.addressBooks.waitUntilRead()
            #expect(try await client.get("/v1/contacts").ids == [ids[1]])
            #expect(try await remove("dup", client).status == 404)
            #expect(try await restore("dup", client).status == 200)
            #expect(try await client.get("/v1/contacts").ids == ids)
        }
    }

    @Test func `A removal is refused when the id is another contact's by now`() async throws {
        let folder = try #require(people.addressBooks.books.first)
        var known = try #require(people.addressBooks.directory.contact("bo"))
        known.emails = [ContactPoint("bo@example.org")]
        let trash = try #require(people.service.options.trash)
        let problem = #expect(throws: ProblemDetails.self) {
            try remove(
                known, known: people.addressBooks.loader(of: folder)?.contents(with: "bo"), from: folder, to: trash)
        }
        #expect(problem?.status == 409 && problem?.code == "contact-changed")
        #expect(trash.contents().items.isEmpty)
    }

    @Test func `A contact comes back to its place in the list`() async throws {
        try await people.withClient { client async throws in
            #expect(try await remove("ada", client).status == 204)
            #expect(try await restore("ada", client).status == 200)
            #expect(try await client.get("/v1/contacts").ids == ["ada", "bo", "cy"])
        }
    }

    @Test func `What cannot be restored safely is refused, and stays in the trash`() async throws {
        try await serve(["x.vcf": Self.card("x", "X") + Self.card("y", "Y")])
        try await people.withClient { client async throws in
            #expect(try await remove("x", client).status == 204)
            let received = people.addressBooks.broadcaster.subscribe()
            try people.folder.write("dn: cn=z\ncn: Z\n", to: "other/x.vcf")
            await ServedContacts.wait(received, for: "contactChanged")
            let response = try await restore("x", client)
            #expect(response.status == 409 && !response.body.contains(people.folder.pathString))
            #expect(people.service.options.trash?.contents().items.count == 1)
        }
    }

    @Test func `A removal opens no other file of the book`() async throws {
        let opened = OpenedFiles(in: people.folder.pathString + "/book")
        try await people.withClient { client async throws in
            #expect(try await remove("bo", client).status == 204)
            let names = Set(opened.take().keys)
            #expect(names.contains("bo.vcf") && names.isDisjoint(with: ["ada.vcf", "cy.vcf"]))
            #expect(try await restore("bo", client).status == 200)
            #expect(Set(opened.take().keys).isDisjoint(with: ["ada.vcf", "cy.vcf"]))
        }
    }

    @Test func `A removal opens no other file of a book with links and with equal ids`() async throws {
        // There before the book is read: a link that comes later is an event, and its file is read for it.
        let folder = people.folder.pathString + "/other"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/zoe.vcf", withDestinationPath: "di.vcf")
        try await serve([
            "bo.vcf": Self.card("dup", "Bo"), "cy.vcf": Self.card("dup", "Cy"), "di.vcf": Self.card("di", "Di"),
        ])
        _ = await known("dup")
        let opened = OpenedFiles(in: folder)
        try await people.withClient { client async throws in
            let ids = try await client.get("/v1/contacts").ids
            #expect(try await remove(ids[1], client).status == 204)
            #expect(try await remove("dup", client).status == 204)
            #expect(try await client.get("/v1/contacts").ids == ["di"])
            #expect(opened.take()["di.vcf"] == nil)
        }
    }

    @Test func `A contact that another program moved to another file is still removed`() async throws {
        var known = try #require(people.addressBooks.directory.contact("bo"))
        let folder = people.folder.pathString + "/book"
        let (book, trash) = (FilePath(folder), try #require(people.service.options.trash))
        let former = await self.known("bo")
        people.addressBooks.stop()
        #expect(rename(folder + "/bo.vcf", folder + "/zed.vcf") == 0)
        let file = try remove(known, known: former, from: book, to: trash)?.file
        #expect(file?.lastComponent == "zed.vcf" && FileManager.default.fileExists(atPath: folder + "/ada.vcf"))
        known.id = "nobody"
        #expect(throws: ProblemDetails.self) {
            try remove(known, known: former, from: book, to: trash)
        }
    }

    @Test func `A second request that knows the file from before the first one removes no equal contact`() async throws
    {
        try await serve(["dup.vcf": Self.card("dup", "Ada") + Self.card("dup", "Ada")])
        let contact = try #require(people.addressBooks.directory.contact("dup"))
        let (known, owners) = (await known("dup"), ["dup": Identities.Owner(card: contact.fingerprint)])
        people.addressBooks.stop()
        let (book, trash) = (people.addressBooks.books[0], try #require(people.service.options.trash))
        func removeIt() throws {
            _ = try remove(contact, known: known, from: book, owners: owners, to: trash)
        }
        try removeIt()
        let problem = #expect(throws: ProblemDetails.self) { try removeIt() }
        #expect(problem?.code == "contact-gone")
        #expect(try people.folder.bytes("other/dup.vcf") == Array(Self.card("dup", "Ada").utf8))
    }

    @Test func `While the lists still show a removed contact, the response is 202 and names the event`() async throws {
        let people = try await ServedContacts(longestPublication: .milliseconds(50))
        let (gate, broadcaster) = (DispatchSemaphore(value: 0), people.addressBooks.broadcaster)
        let (entered, entering) = AsyncStream.makeStream(of: Void.self)
        // A slow subscriber holds up the events of a change, and those of the removal behind it.
        broadcaster.pass { event in
            if case .contactChanged = event.event {
                entering.yield()
                gate.wait()
            }
            broadcaster.add(event)
        }
        try people.folder.write("BEGIN:VCARD\nVERSION:3.0\nUID:ada\nFN:Countess\nEND:VCARD\n", to: "book/ada.vcf")
        for await _ in entered { break }
        try await people.withClient { client async throws in
            let response = try await remove("bo", client)
            #expect(response.status == 202 && response.json["event"] as? String == "contactRemoved")
            #expect(response.json["id"] as? String == "bo")
            #expect(try await client.get("/v1/contacts/bo").status == 200)
            let after = UInt64(response.json["after"] as? Int ?? 0)
            let received = broadcaster.subscribe(after: after)
            gate.signal()
            await ServedContacts.wait(received, for: "contactRemoved")
            #expect(try await client.get("/v1/contacts/bo").status == 404)
        }
        broadcaster.pass(to: nil)
    }

    @Test func `After a removal during reloads, no request shows the contact`() async throws {
        let (book, addressBooks) = (FilePath(people.folder.pathString + "/book"), people.addressBooks)
        try await people.withClient { client async throws in
            for size in 17..<32 {
                async let reload: Void = addressBooks.serve([book], styles: [AvatarStyle(size: size)])
                #expect(try await remove("bo", client).status == 204)
                #expect(try await client.get("/v1/contacts/bo").status == 404)
                #expect(try await client.get("/v1/contacts").ids == ["ada", "cy"])
                await reload
                #expect(try await client.get("/v1/contacts/bo").status == 404)
                #expect(try await restore("bo", client).status == 200)
                #expect(try await client.get("/v1/contacts").ids.contains("bo"))
            }
        }
    }
}
