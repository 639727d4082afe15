import Foundation
import Testing

/// The description of the interface, `assets/openapi.json`.
enum OpenAPIDocument {
    static func read() throws -> [String: Any] {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
        let value = try JSONSerialization.jsonObject(
            with: Data(contentsOf: root.appending(path: "assets/openapi.json")))
        return try #require(value as? [String: Any])
    }
}
