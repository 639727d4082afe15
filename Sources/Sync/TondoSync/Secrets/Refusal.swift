internal import SystemPackage
internal import TondoDigest
internal import TondoFiles
internal import TondoMirror

/// Remembers in the mirror's folder which user and secret a server refused, so that automatic runs do not send them again
/// until one of them changes: servers lock accounts and addresses out.
struct Refusal {
    private let file: FilePath

    init(layout: MirrorLayout) { file = layout.refusal }

    var isNoted: Bool { FileStatus(file, followingLinks: false) != nil }

    /// Whether the configured ones are those that were refused. A secret that cannot be read, as from a store that is
    /// locked, has not changed.
    func stands(_ source: SyncSource, secrets: SecretReader) -> Bool {
        guard let noted = try? MirrorFile.read(file) else { return isNoted }
        let needsSecret = source.user != nil || source.authentication == .bearer
        guard needsSecret else { return noted == Self.mark(source, secret: nil) }
        guard let secret = try? secrets.read(source) else { return true }
        return noted == Self.mark(source, secret: secret)
    }

    /// `secret`: the one that was sent. Without effect where the folder cannot be written: then the back-off applies.
    func note(_ source: SyncSource, secret: Secret?) {
        try? AtomicFile.write(to: file, permissions: .ownerReadWrite) {
            _ = try $0.writeAll(Self.mark(source, secret: secret))
        }
    }

    func forget() { if isNoted { AtomicFile.remove(file) } }

    /// Two bytes of a digest: enough to notice a change, too few to find the secret by.
    private static func mark(_ source: SyncSource, secret: Secret?) -> [UInt8] {
        let words = [source.url, source.user ?? "", source.authentication.rawValue, secret?.reveal() ?? ""]
        let digest = SHA256Digest(of: words.joined(separator: "\0").utf8)
        return Array("\(digest.hexadecimal.prefix(4))\n".utf8)
    }
}
