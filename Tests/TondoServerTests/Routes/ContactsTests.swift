import Foundation
import NIOCore
import SystemPackage
import Testing
import TondoContacts
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct ContactsTests {
    private let people: ServedContacts

    init() async throws { people = try await ServedContacts() }

    @Test func `All contacts are listed, with their number`() async throws {
        try await people.withClient { client in
            let response = try await client.get("/v1/contacts")
            #expect(response.status == 200 && response.ids == ["ada", "bo", "cy"])
            #expect(response.json["total"] as? Int == 3 && response.json["next"] is NSNull)
            #expect(response.field("content-type") == "application/json")
            #expect(response.field("x-content-type-options") == "nosniff")
        }
    }

    @Test func `Pages follow each other by their cursors`() async throws {
        try await people.withClient { client in
            let first = try await client.get("/v1/contacts?limit=2")
            #expect(first.ids == ["ada", "bo"])
            let cursor = try #require(first.json["next"] as? String)
            let second = try await client.get("/v1/contacts?limit=2&cursor=\(cursor)")
            #expect(second.ids == ["cy"] && second.json["next"] is NSNull)
        }
    }

    @Test(arguments: [
        ("sort=family", ["cy", "bo", "ada"]), ("sort=given-desc", ["cy", "bo", "ada"]),
        ("filter=email", ["ada", "cy"]),
        ("filter=email,telegram", ["ada"]), ("search=lovelace", ["ada"]), ("group=Work", ["bo", "cy"]),
        ("group=Work&filter=phone", ["bo"]), ("search=nobody", []),
    ])
    func `Conditions hold together, and an order is kept`(_ query: String, _ ids: [String]) async throws {
        try await people.withClient { client in
            let found = try await client.get("/v1/contacts?\(query)").ids
            #expect(found == ids, "\(query)")
        }
    }

    @Test func `Contacts of a search have what matched, others do not`() async throws {
        try await people.withClient { client in
            let target = "/v1/contacts?search=lovelace"
            for _ in 0..<2 {
                let items = try await client.get(target).json["items"] as? [[String: Any]]
                let match = try #require(items?.first?["match"] as? [String: Any])
                #expect(match["field"] as? String == "name")
                let text = try #require(match["text"] as? String)
                let ranges = try #require(match["ranges"] as? [[Int]])
                let units = Array(text.utf16)[ranges[0][0]..<ranges[0][0] + ranges[0][1]]
                #expect(String(decoding: units, as: UTF16.self) == "Lovelace")
                let all = try await client.get("/v1/contacts").json["items"] as? [[String: Any]]
                #expect(all?.count == 3 && all?.filter { $0["match"] != nil }.count == 0)
            }
        }
    }

    @Test(arguments: [
        "limit=0", "limit=501", "limit=x", "limit=%2B5", "cursor=5-%2B1", "sort=age", "filter=fax", "filter=favourites",
        "duplicates=x", "cursor=1",
        "cursor=-1-61", "offset=-1", "offset=x", "offset=", "offset=99999999999999999999", "fields=id",
        "limit=20001&fields=index", "offset=1&around=ada", "around=ada&cursor=1-61",
        "search=" + String(repeating: "a%20b%20", count: 9), "search=" + String(repeating: "a", count: 1_025),
    ])
    func `A bad parameter is named`(_ query: String) async throws {
        try await people.withClient { client in
            let response = try await client.get("/v1/contacts?\(query)")
            #expect(response.status == 400 && response.json["code"] as? String == "bad-parameter")
            let names = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
            #expect(names.contains { (response.json["detail"] as? String)?.hasPrefix("\($0) must be ") == true })
        }
    }

    @Test func `A page begins at its offset`() async throws {
        try await people.withClient { client in
            let page = try await client.get("/v1/contacts?offset=1&limit=1")
            #expect(page.ids == ["bo"] && page.json["offset"] as? Int == 1 && page.json["total"] as? Int == 3)
            let next = try #require(page.json["next"] as? String)
            #expect(try await client.get("/v1/contacts?limit=1&cursor=\(next)").ids == ["cy"])
            let end = try await client.get("/v1/contacts?offset=7")
            #expect(end.ids == [] && end.json["offset"] as? Int == 3 && end.json["next"] is NSNull)
        }
    }

    @Test(arguments: [
        ("around=cy&limit=2", 2, ["cy"]), ("around=bo&limit=2", 0, ["ada", "bo"]), ("around=ada&limit=1", 0, ["ada"]),
        ("around=ada&limit=2&sort=family", 2, ["ada"]), ("around=cy&filter=email&limit=1", 1, ["cy"]),
    ])
    func `A page is the one with a contact`(_ query: String, _ offset: Int, _ ids: [String]) async throws {
        try await people.withClient { client in
            let page = try await client.get("/v1/contacts?\(query)")
            #expect(page.ids == ids && page.json["offset"] as? Int == offset)
        }
    }

    @Test(arguments: ["around=nobody", "around=bo&filter=email", "around="])
    func `A contact that the list does not contain has no page`(_ query: String) async throws {
        try await people.withClient { client in
            let response = try await client.get("/v1/contacts?\(query)")
            #expect(response.status == 404 && response.json["code"] as? String == "contact-not-found")
        }
    }

    @Test func `Contacts have what is shown of them`() async throws {
        try await people.withClient { client in
            let page = try await client.get("/v1/contacts?sort=family")
            let items = try #require(page.json["items"] as? [[String: Any]])
            #expect(items.compactMap { $0["section"] as? String } == ["A", "B", "L"])
            #expect(items.compactMap { $0["initials"] as? String } == ["CA", "BB", "AL"])
            #expect(items[2]["displayName"] as? String == "Ada Lovelace")
            let whole = try await client.get("/v1/contacts/bo")
            #expect(whole.json["section"] as? String == "B" && whole.json["displayName"] as? String == "Bo Berg")
            let phones = whole.json["phones"] as? [[String: Any]]
            #expect(phones?.first?["formatted"] as? String == "+46 1")
            // The same contacts, by another name.
            let given = try await client.get("/v1/contacts").json["items"] as? [[String: Any]]
            #expect(given?.compactMap { $0["section"] as? String } == ["A", "B", "C"])
        }
    }

    @Test func `An index has all contacts at once, with what is shown first`() async throws {
        try await people.withClient { client in
            let page = try await client.get("/v1/contacts?fields=index&sort=given-desc")
            #expect(page.ids == ["cy", "bo", "ada"] && page.json["next"] is NSNull && page.json["offset"] as? Int == 0)
            let items = try #require(page.json["items"] as? [[String: Any]])
            let members = Set(items.flatMap(\.keys))
            #expect(members == ["id", "displayName", "initials", "section"])
            let part = try await client.get("/v1/contacts?fields=index&limit=1&offset=1")
            #expect(part.ids == ["bo"] && part.json["next"] is String)
        }
    }

    @Test func `A person with several cards is listed once if a client wants that`() async throws {
        let copy = "BEGIN:VCARD\nVERSION:3.0\nUID:copy\nFN:ADA lovelace\nEMAIL:Ada@example.org\nEND:VCARD\n"
        try people.folder.write(copy, to: "second.vcf")
        let folder = people.folder.pathString
        people.addressBooks.serve([FilePath(folder + "/book"), FilePath(folder + "/second.vcf")], styles: [])
        _ = await people.addressBooks.waitUntilRead()
        try await people.withClient { client async throws in
            #expect(try await client.get("/v1/contacts").ids == ["ada", "bo", "cy", "2~copy"])
            #expect(try await client.get("/v1/contacts?duplicates=apart").json["total"] as? Int == 4)
            let joined = try await client.get("/v1/contacts?duplicates=joined&limit=2")
            #expect(joined.ids == ["ada", "bo"] && joined.json["total"] as? Int == 3)
            #expect(joined.body.contains(#""also":[{"id":"2~copy","book":2}]}"#))
            let index = try await client.get("/v1/contacts?duplicates=joined&fields=index&sort=given-desc")
            #expect(index.ids == ["cy", "bo", "ada"] && index.body.contains(#""also":[{"id":"2~copy","book":2}]}"#))
            #expect(try await client.get("/v1/sections?duplicates=joined").json["total"] as? Int == 3)
            let around = try await client.get("/v1/contacts?duplicates=joined&around=2~copy&limit=1")
            #expect(around.ids == ["ada"] && around.json["offset"] as? Int == 0)
            #expect(try await client.get("/v1/contacts/2~copy").body.contains(#""also":[{"id":"ada","book":1}]}"#))
            #expect(try await client.get("/v1/contacts/bo").body.contains(#""also":[]}"#))
        }
    }

    @Test func `Event loops make pages as the router does, and none of before a change`() async throws {
        let service = people.service
        func page(_ target: String) -> String? { service.page(target)?.body.map { String(buffer: $0) } }
        try await RunningServer.run(respond: service.respond()) { server in
            let client = try await server.client()
            for query in [
                "limit=2", "sort=family-desc", "filter=email&limit=1&offset=1", "duplicates=joined", "offset=9",
                "cursor=" + ContactCursor(offset: 2, id: "bo").text,
            ] {
                let target = "/v1/contacts?" + query
                let routed = try await client.get(target)
                #expect(routed.status == 200 && page(target) == routed.body)
            }
            for query in [
                "search=ada", "around=bo", "fields=index", "limit=0", "sort=given&locale=sv",
                "cursor=" + ContactCursor(offset: 1, id: "bo").text,
            ] {
                #expect(page("/v1/contacts?" + query) == nil, "\(query)")
            }
            let received = people.addressBooks.broadcaster.subscribe()
            _ = try await client.get("/v1/contacts/bo", method: "DELETE", fields: ServedContacts.authorization)
            await ServedContacts.wait(received, for: "contactRemoved")
            #expect(page("/v1/contacts?limit=2")?.contains("Berg") != true)
        }
        people.addressBooks.stop()
    }

    @Test func `Many contacts, or large ones, are not written where bytes are limited`() {
        let directory = ContactDirectory()
        var large = Contact(id: "large")
        large.introduction = String(repeating: "x", count: 200_000)
        for number in 0..<300 { directory.put(number == 250 ? large : Contact(id: "\(number)"), in: 0) }
        let list = ContactList(of: directory.snapshot)
        func isWritten(_ rows: Range<Int>, most: Int) -> Bool {
            var json: [UInt8] = []
            return list.add(rows, most: most, to: &json)
        }
        #expect(!isWritten(250..<251, most: 200_000) && !isWritten(0..<100, most: 5_000))
        #expect(isWritten(0..<100, most: 100_000) && isWritten(250..<251, most: 210_000))
        // Its text is shorter, and kept by now.
        #expect(isWritten(250..<251, most: 70_000) && !isWritten(250..<251, most: 60_000))
        #expect(!isWritten(0..<100, most: 5_000))
    }

    @Test func `An index is kept until a contact changes`() async throws {
        try await people.withClient { client in
            let target = "/v1/contacts?fields=index"
            let first = try await client.get(target)
            let revision = people.service.pages.revision
            #expect(people.service.indexes.response(to: target, revision) != nil)
            #expect(try await client.get(target).body == first.body)
            let received = people.addressBooks.broadcaster.subscribe()
            let removed = try await client.get(
                "/v1/contacts/bo", method: "DELETE", fields: ServedContacts.authorization)
            #expect(removed.status == 204)
            await ServedContacts.wait(received, for: "contactRemoved")
            #expect(people.service.indexes.response(to: target, people.service.pages.revision) == nil)
            let second = try await client.get(target)
            #expect(second.ids == ["ada", "cy"])
            #expect(second.json["revision"] as? String != first.json["revision"] as? String)
        }
    }

    @Test(arguments: [
        ("", "ABC"), ("sort=family", "ABL"), ("sort=family-desc", "LBA"), ("filter=email", "AC"), ("search=nobody", ""),
        ("sort=given&locale=sv-SE", "ABC"), ("group=Work&sort=family", "AB"),
    ])
    func `Sections are those of the list`(_ query: String, _ titles: String) async throws {
        try await people.withClient { client in
            for _ in 0..<2 {
                let response = try await client.get("/v1/sections?\(query)")
                let sections = try #require(response.json["sections"] as? [[String: Any]])
                #expect(sections.compactMap { $0["title"] as? String }.joined() == titles)
                #expect(sections.compactMap { $0["offset"] as? Int } == Array(0..<titles.count))
                #expect(response.json["total"] as? Int == titles.count && response.json["revision"] is String)
            }
        }
    }

    @Test func `One contact is sent whole, without its photo's file`() async throws {
        try await people.withClient { client in
            let response = try await client.get("/v1/contacts/ada")
            #expect(response.json["id"] as? String == "ada" && response.json["photo"] as? Bool == false)
            #expect(response.json["avatar"] as? String == "/v1/contacts/ada/avatar")
        }
    }

    @Test(arguments: ["nobody", "..%2f..%2fetc", "%zz", "%00"])
    func `A missing contact is not found`(_ id: String) async throws {
        try await people.withClient { client in
            let response = try await client.get("/v1/contacts/\(id)")
            #expect(response.status == 404 && response.field("cache-control") == nil)
        }
    }

    @Test func `Groups have their counts`() async throws {
        try await people.withClient { client in
            let groups = try await client.get("/v1/groups").body
            #expect(
                groups == #"[{"id":"Family","name":"Family","total":1,"online":0},"#
                    + #"{"id":"Work","name":"Work","total":2,"online":0}]"#)
        }
    }

    @Test func `A client with the token removes a contact and restores it`() async throws {
        let file = people.folder.pathString + "/book/bo.vcf"
        let before = try String(contentsOfFile: file, encoding: .utf8)
        try await people.withClient { client in
            let received = people.addressBooks.broadcaster.subscribe()
            #expect(try await client.get("/v1/contacts/bo", method: "DELETE").status == 401)
            let removed = try await client.get(
                "/v1/contacts/bo", method: "DELETE", fields: ServedContacts.authorization)
            #expect(removed.status == 204)
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(try await client.get("/v1/contacts/bo").status == 404)
            await ServedContacts.wait(received, for: "contactRemoved")
            let restored = try await client.get(
                "/v1/contacts/bo/restore", method: "POST",
                fields: ServedContacts.authorization + "Content-Length: 0\r\n")
            #expect(restored.status == 200)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
            #expect(try await client.get("/v1/contacts/bo").status == 200)
            #expect(try await client.get("/v1/contacts").ids == ["ada", "bo", "cy"])
            await ServedContacts.wait(received, for: "contactChanged")
        }
    }

    @Test func `A page of another site changes nothing`() async throws {
        try await people.withClient { client in
            let response = try await client.get(
                "/v1/contacts/bo", method: "DELETE",
                fields: ServedContacts.authorization + "Origin: https://evil.example\r\n")
            #expect(response.status == 403)
        }
    }
}
