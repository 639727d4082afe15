internal import TondoText

/// Paths of members, compared as RFC 3986 section 6.2.2 does: two spellings of one path have one id.
package enum DAVPath {
    /// The id of a path: each segment decoded, then encoded in one way. A slash that is escaped stays a part of its segment.
    package static func id(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.encode(bytes(of: $0), as: .pathSegment) }
            .joined(separator: "/")
    }

    /// The id of a folder ends with a slash.
    package static func folder(_ path: String) -> String {
        let id = id(path)
        return id.hasSuffix("/") ? id : id + "/"
    }

    /// Whether the id is one of a direct member of the folder, and no folder itself.
    package static func isMember(_ id: String, of folder: String) -> Bool {
        guard id.hasPrefix(folder) else { return false }
        let name = id.dropFirst(folder.count)
        return !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/"))
    }

    /// An escape that is none stays as it is.
    private static func bytes(of segment: Substring) -> [UInt8] {
        let text = Array(segment.utf8)
        var (bytes, from) = ([UInt8](), 0)
        bytes.reserveCapacity(text.count)
        while from < text.count {
            if text[from] == UInt8(ascii: "%"), from + 2 < text.count,
                let byte = Hex.byte(text[from + 1], text[from + 2])
            {
                bytes.append(byte)
                from += 3
            } else {
                bytes.append(text[from])
                from += 1
            }
        }
        return bytes
    }
}
