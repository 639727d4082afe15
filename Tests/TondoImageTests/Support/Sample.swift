import Foundation
import TondoTestSupport

/// The photos of `assets/samples`.
enum Sample {
    static let names = [
        "ada.jpg", "bo.jpg", "chidi.jpg", "dora.jpg", "emi.jpg", "farid.png", "greta.jpg", "hana.jpg",
    ]

    static func bytes(_ name: String) throws -> [UInt8] {
        let top = Fixture.root.deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: top.appendingPathComponent("assets/samples/\(name)")))
    }
}
