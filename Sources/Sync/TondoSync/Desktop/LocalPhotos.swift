package import SystemPackage
internal import TondoFiles
internal import TondoText

/// Photos that a book of this machine keeps in files beside it. Reads regular files of a bounded size, follows no link at the
/// end of a path, and takes pictures only. What a URI names has to be in a folder of the book's program: a card that another
/// person wrote must not carry a picture of this user into the mirror, and from there to others.
package final class LocalPhotos {
    /// Bytes, as for the photos of directories.
    private static let largest = 5_000_000
    private static let mostNamed = 5

    private let folders: [FilePath]

    /// Photos that could not be read; the first are named.
    private var failed = 0
    private var named: [String] = []

    /// `folders`: absolute; those that URIs may lead into.
    package init(folders: [FilePath] = []) { self.folders = folders.map { $0.lexicallyNormalized() } }

    /// Where Evolution Data Server keeps the photos of contacts.
    package static var evolutionFolders: [FilePath] {
        [StandardPaths.process.data, StandardPaths.process.cache].compactMap { $0?.appending("evolution") }
    }

    /// For people; nil: all photos were read.
    package var failures: String? {
        guard failed > 0 else { return nil }
        let count = failed == 1 ? "1 photo cannot be read" : "\(failed) photos cannot be read"
        return "\(count): \(named.joined(separator: ", "))" + (failed > named.count ? ", ..." : "")
    }

    /// Nil if it cannot be read, which is counted.
    package func picture(at path: FilePath) -> (bytes: [UInt8], kind: PictureKind)? {
        do throws(Errno) {
            let bytes = try path.contents(limit: Self.largest, followingLinks: false)
            if let kind = PictureKind(bytes) { return (bytes, kind) }
            refuse(path.string, reason: "no picture")
        } catch { refuse(path.string, reason: "\(error)") }
        return nil
    }

    /// Counts a photo that is not looked for.
    func refuse(_ name: String, reason: String) {
        failed += 1
        if named.count < Self.mostNamed { named.append("\(name) (\(reason))") }
    }

    /// A vCard with the pictures that it names by `file:` URIs; other lines stay as they are.
    package func inlined(_ card: [UInt8]) -> [UInt8] {
        CardPhotos.inlined(card) { url in
            // An empty host is this machine (RFC 8089).
            let path = FilePath(PercentEncoding.decode(String(url.dropFirst("file://".count)))).lexicallyNormalized()
            if folders.contains(where: { path.starts(with: $0) }) { return picture(at: path) }
            refuse(path.string, reason: "not in a folder of the program")
            return nil
        }
    }
}
