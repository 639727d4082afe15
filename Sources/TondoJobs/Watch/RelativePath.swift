/// The path of a file or folder below a watched folder, as the bytes the kernel knows it by; empty: the folder itself.
struct RelativePath: Hashable, Sendable {
    private(set) var bytes: [UInt8] = []

    /// Nil when the name is not valid UTF-8.
    var string: String? { String(validating: bytes, as: UTF8.self) }

    func appending(_ name: [UInt8]) -> RelativePath {
        RelativePath(bytes: bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
    }
}

extension RelativePath: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { bytes = Array(text.utf8) }
}
