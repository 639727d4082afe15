import Foundation
import Testing

@testable import TondoServer

/// What is answered is what `assets/openapi.json` says.
@Suite(.timeLimit(.minutes(15))) struct ResponseShapeTests {
    private let document: [String: Any]

    init() throws { document = try OpenAPIDocument.read() }

    private func at(_ path: [String]) -> Any? {
        path.reduce(document) { value, name in (value as? [String: Any])?[name] }
    }

    /// What of `value` is not as `schema` has it; properties that it does not name count, too.
    private func problems(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            let target = at(reference.dropFirst(2).split(separator: "/").map(String.init)) as? [String: Any]
            return problems(value, target ?? [:], place)
        }
        let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? "any"]
        if value is NSNull { return types.contains("null") ? [] : ["\(place) is null"] }
        switch types[0] {
        case "object":
            guard let object = value as? [String: Any] else { return ["\(place) is no object"] }
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
            return missing.map { "\(place).\($0) is missing" }
                + object.flatMap { name, value in
                    (properties[name] ?? schema["additionalProperties"] as? [String: Any]).map {
                        problems(value, $0, "\(place).\(name)")
                    } ?? ["\(place).\(name) is unknown"]
                }
        case "array":
            guard let array = value as? [Any] else { return ["\(place) is no array"] }
            return array.flatMap { problems($0, schema["items"] as? [String: Any] ?? [:], "\(place)[]") }
        case "string": return value is String ? [] : ["\(place) is no text"]
        case "integer", "boolean": return value is Bool || value is Int ? [] : ["\(place) is no \(types[0])"]
        default: return []
        }
    }

    @Test(arguments: [
        ("/v1/contacts?limit=2", "/v1/contacts"), ("/v1/contacts/ada", "/v1/contacts/{id}"),
        ("/v1/contacts?search=notes", "/v1/contacts"),
        ("/v1/groups", "/v1/groups"),
    ])
    func `What is answered has the shape that is described`(_ target: String, _ path: String) async throws {
        let lines = [
            "BEGIN:VCARD", "VERSION:3.0", "UID:ada", "N:Lovelace;Ada;King;Lady;FRS", "FN:Ada", "NICKNAME:Addie",
            "ORG:Engines;Notes", "TITLE:Countess", "ROLE:Author", "NOTE:Hello", "TEL;TYPE=HOME:+44 1",
            "item1.EMAIL:ada@example.org", "item1.X-ABLABEL:Castle", "X-TELEGRAM:ada", "CATEGORIES:Club",
            "REV:18520101", "PHOTO;VALUE=uri:https://example.org/a.png", "END:VCARD", "",
        ]
        let cards = ["ada": lines.joined(separator: "\r\n"), "bo": Card.card("bo"), "cy": Card.card("cy")]
        try await RunningService.run(cards) { service in
            try await expectShape(of: service.get(target), path)
        }
    }

    @Test func `Reports of the cache, the queue and the books have the shape that is described`() async throws {
        try await RunningService.run { service in
            let avatar = try await service.get("/v1/contacts/ada/avatar?size=20")
            let key = try #require(avatar.field("etag")).filter { $0 != "\"" }
            for (target, path) in [
                ("/v1/cache", "/v1/cache"), ("/v1/cache/entries/\(key)", "/v1/cache/entries/{key}"),
                ("/v1/cache/why/ada?size=20", "/v1/cache/why/{id}"),
                ("/v1/cache/why/ada?size=21", "/v1/cache/why/{id}"),
                ("/v1/cache/why/bob?size=20", "/v1/cache/why/{id}"),
                ("/v1/contacts/ada/crop?size=20", "/v1/contacts/{id}/crop"),
                ("/v1/jobs", "/v1/jobs"), ("/readyz", "/readyz"),
            ] {
                try await expectShape(of: service.get(target), path)
            }
        }
    }

    private func expectShape(of response: RawResponse, _ path: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(response.bytes))
        let place = ["paths", path, "get", "responses", "200", "content", "application/json", "schema"]
        let schema = try #require(at(place) as? [String: Any])
        #expect(problems(value, schema, "answer") == [], "\(path)")
    }
}
