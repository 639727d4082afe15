import Foundation
import Testing

@Suite struct OpenAPITests {
    private let document: [String: Any]

    init() throws { document = try OpenAPIDocument.read() }

    /// All operations: method, path, and what is said of them.
    private var operations: [(method: String, path: String, operation: [String: Any])] {
        get throws {
            let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
            return paths.flatMap { path, methods in methods.map { ($0.key, path, $0.value) } }
        }
    }

    @Test func `Every reference leads somewhere`() throws {
        #expect(document["openapi"] as? String == "3.1.0")
        var (open, count): ([Any], Int) = ([document], 0)
        while let value = open.popLast() {
            if let array = value as? [Any] { open += array }
            guard let object = value as? [String: Any] else { continue }
            open += object.values
            guard let reference = object["$ref"] as? String else { continue }
            count += 1
            var target: Any? = document
            for part in reference.dropFirst(2).split(separator: "/") {
                target = (target as? [String: Any])?[String(part)]
            }
            #expect(target != nil, "\(reference)")
        }
        #expect(count > 20)
    }

    @Test func `Every operation has an id of its own, and its path's parameters`() throws {
        let operations = try operations
        let ids = operations.compactMap { $0.operation["operationId"] as? String }
        #expect(ids.count == operations.count && Set(ids).count == ids.count)
        for (_, path, operation) in operations {
            let parameters = operation["parameters"] as? [[String: Any]] ?? []
            let named = parameters.filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String }
            let wanted = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                String($0.dropFirst().dropLast())
            }
            #expect(named == wanted, "\(path)")
            #expect((operation["responses"] as? [String: Any])?.isEmpty == false)
        }
    }

    /// Posts that change no contact.
    private static let readingPosts: Set = ["/v1/session", "/v1/avatars"]

    @Test func `Whatever changes something needs the token`() throws {
        for (method, path, operation) in try operations {
            let isSafe =
                ["get", "head", "options"].contains(method) || method == "post" && Self.readingPosts.contains(path)
            #expect((operation["security"] == nil) == isSafe, "\(method) \(path)")
        }
    }
}
