import Foundation

@testable import TondoAvatars

/// A JPEG of 41 x 41 pixels.
enum SmallPhoto {
    static let bytes: [UInt8] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let url = root.appendingPathComponent("Fixtures/decodes-like-reference/size-41x41-444.jpg")
        return (try? [UInt8](Data(contentsOf: url))) ?? []
    }()
}

extension PhotoFile {
    var array: [UInt8] { [UInt8](bytes) }
}
