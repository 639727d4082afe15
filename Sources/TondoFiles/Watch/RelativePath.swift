/// The path of a file or folder below a watched folder, as the kernel's bytes; empty: the folder itself.
struct RelativePath: Hashable, Sendable {
    private(set) var bytes: [UInt8] = []

    /// Nil if the name is not valid UTF-8.
    var string: String? { String(validating: bytes, as: UTF8.self) }

    /// Its folder and its name; nil for the watched folder itself.
    var place: FilePlace? {
        if bytes.isEmpty { return nil }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePlace(folder: "", name: bytes) }
        return FilePlace(folder: RelativePath(bytes: Array(bytes[..<slash])), name: Array(bytes[(slash + 1)...]))
    }

    func appending(_ name: [UInt8]) -> RelativePath {
        RelativePath(bytes: bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
    }
}

extension RelativePath: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { bytes = Array(text.utf8) }
}
