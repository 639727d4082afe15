import Foundation
import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(1))) struct ContactsTests {
    private let people: ServedPeople

    init() async throws { people = try await ServedPeople() }

    @Test func `All contacts are listed, with their number`() async throws {
        try await people.ask { client in
            let answer = try await client.get("/v1/contacts")
            #expect(answer.status == 200 && answer.ids == ["ada", "bo", "cy"])
            #expect(answer.json["total"] as? Int == 3 && answer.json["next"] is NSNull)
            #expect(answer.field("content-type") == "application/json")
            #expect(answer.field("x-content-type-options") == "nosniff")
        }
    }

    @Test func `Pages follow each other by their cursors`() async throws {
        try await people.ask { client in
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
        try await people.ask { client in
            let found = try await client.get("/v1/contacts?\(query)").ids
            #expect(found == ids, "\(query)")
        }
    }

    @Test(arguments: [
        "limit=0", "limit=501", "limit=x", "limit=%2B5", "cursor=5-%2B1", "sort=age", "filter=fax", "cursor=1",
        "cursor=-1-61",
    ])
    func `A bad parameter is named`(_ query: String) async throws {
        try await people.ask { client in
            let answer = try await client.get("/v1/contacts?\(query)")
            #expect(answer.status == 400 && answer.json["code"] as? String == "bad-parameter")
            #expect((answer.json["detail"] as? String)?.hasPrefix(query.prefix { $0 != "=" }) == true)
        }
    }

    @Test func `One contact is sent whole, without its photo's file`() async throws {
        try await people.ask { client in
            let answer = try await client.get("/v1/contacts/ada")
            #expect(answer.json["id"] as? String == "ada" && answer.json["photo"] as? Bool == false)
            #expect(answer.json["avatar"] as? String == "/v1/contacts/ada/avatar")
        }
    }

    @Test(arguments: ["nobody", "..%2f..%2fetc", "%zz", "%00"])
    func `A missing contact is not found`(_ id: String) async throws {
        try await people.ask { client in
            let answer = try await client.get("/v1/contacts/\(id)")
            #expect(answer.status == 404 && answer.field("cache-control") == nil)
        }
    }

    @Test func `Groups have their counts`() async throws {
        try await people.ask { client in
            let groups = try await client.get("/v1/groups").body
            #expect(
                groups == #"[{"id":"Family","name":"Family","total":1,"online":0},"#
                    + #"{"id":"Work","name":"Work","total":2,"online":0}]"#)
        }
    }

    @Test func `A client with the token removes a contact and restores it`() async throws {
        let file = people.folder.path + "/book/bo.vcf"
        let before = try String(contentsOfFile: file, encoding: .utf8)
        try await people.ask { client in
            let heard = people.library.ring.listen()
            #expect(try await client.get("/v1/contacts/bo", method: "DELETE").status == 401)
            let removed = try await client.get(
                "/v1/contacts/bo", method: "DELETE", fields: ServedPeople.authorization)
            #expect(removed.status == 204)
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(try await client.get("/v1/contacts/bo").status == 404)
            await ServedPeople.wait(heard, for: "contactRemoved")
            let restored = try await client.get(
                "/v1/contacts/bo/restore", method: "POST", fields: ServedPeople.authorization + "Content-Length: 0\r\n")
            #expect(restored.status == 200)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
            #expect(try await client.get("/v1/contacts/bo").status == 200)
            #expect(try await client.get("/v1/contacts").ids == ["ada", "bo", "cy"])
            await ServedPeople.wait(heard, for: "contactChanged")
        }
    }

    @Test func `A page of another site changes nothing`() async throws {
        try await people.ask { client in
            let answer = try await client.get(
                "/v1/contacts/bo", method: "DELETE",
                fields: ServedPeople.authorization + "Origin: https://evil.example\r\n")
            #expect(answer.status == 403)
        }
    }
}
