package import SystemPackage
internal import TondoFiles
internal import TondoText

/// The `file:` URIs of local files (RFC 8089), as file managers and desktop entries hand them over.
package enum FileURI {
    /// Also of another machine, or malformed.
    package static func isURI(_ text: String) -> Bool { text.lowercased().hasPrefix("file://") }

    /// Nil for another text, and for a file of another machine.
    package static func path(_ text: String) -> FilePath? {
        // A blank is no part of a URI, and the decoder would leave it out.
        guard isURI(text), text.utf8.allSatisfy({ $0 > 0x20 }) else { return nil }
        let rest = text.dropFirst("file://".count)
        guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash].lowercased()) else {
            return nil
        }
        let bytes = Array(rest[slash...].utf8).withUnsafeBytes { PercentEncoding.decode(folded: $0) }
        if bytes.contains(0) { return nil }
        return FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
    }

    /// The URI of an absolute path, without `.` and `..`, with the escapes of GLib, on which file managers build.
    package static func text(_ path: FilePath) -> String {
        "file://" + PercentEncoding.encode(path.absolute.lexicallyNormalized().bytes, as: .desktopPath)
    }
}
