import Foundation
import Testing
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(1))) struct ContactsTests {
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

    @Test(arguments: [
        "limit=0", "limit=501", "limit=x", "limit=%2B5", "cursor=5-%2B1", "sort=age", "filter=fax", "cursor=1",
        "cursor=-1-61",
    ])
    func `A bad parameter is named`(_ query: String) async throws {
        try await people.withClient { client in
            let response = try await client.get("/v1/contacts?\(query)")
            #expect(response.status == 400 && response.json["code"] as? String == "bad-parameter")
            #expect((response.json["detail"] as? String)?.hasPrefix(query.prefix { $0 != "=" }) == true)
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
