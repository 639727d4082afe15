import Foundation
import Hummingbird
import Testing
import TondoTestSupport

@testable import TondoServer

@Suite struct RoutesTests {
    @Test func `The routes are those that the OpenAPI file describes`() async throws {
        let people = try await ServedContacts()
        people.addressBooks.stop()
        let served = people.service.router().routes.map { route in
            let path = "/" + route.path.description.split(separator: "/").map(Self.parameter).joined(separator: "/")
            return "\(route.method.rawValue.lowercased()) \(path)"
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "assets/openapi.json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: Any]])
        let described = paths.flatMap { path, methods in methods.keys.map { "\($0) \(path)" } }
        let methods = { (routes: [String]) in Set(routes.filter { !$0.hasPrefix("head ") }) }
        #expect(methods(served) == methods(described))
    }

    /// `:id` and `${id}` as `{id}`.
    private static func parameter(_ part: Substring) -> String {
        part.hasPrefix(":") ? "{\(part.dropFirst())}" : part.hasPrefix("$") ? String(part.dropFirst()) : String(part)
    }
}
