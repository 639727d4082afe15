internal import FoundationEssentials
internal import SystemPackage
internal import TondoFiles
internal import TondoMirror

/// Makes the photos of cards smaller that a server does not take. `tondo photos fit` does it, in a process of its own: this one has
/// a network and secrets, and decodes no pictures. Blocks.
struct PhotoShrinker {
    /// The program `tondo`.
    let program: String
    /// For the card while it changes; nothing else is in this folder, which is removed afterwards.
    let folder: FilePath

    /// Bytes that a smaller photo may have. Servers do not say their limits; these are below those that are known.
    private static let bounds = [500_000, 200_000, 100_000, 50_000, 20_000]
    /// So long one photo may take.
    private static let limit = Duration.seconds(60)
    /// Bytes of a card.
    private static let largest = 24 << 20

    /// The next smaller bound for a photo of so many bytes; nil: no smaller one is made.
    static func bound(under bytes: Int) -> Int? { bounds.first { $0 < bytes } }

    /// A card with a photo of `bound` bytes at most, and all else as it was; nil: there is none.
    func card(_ card: [UInt8], bound: Int) -> [UInt8]? {
        let (file, trash) = (folder.appending("card.vcf"), folder.appending("trash"))
        remove()
        defer { remove() }
        do {
            try Folder.make(folder, mode: 0o700)
            try AtomicFile.write(to: file, permissions: .ownerReadWrite) { _ = try $0.writeAll(card) }
            _ = try ChildProgram.output(
                of: [
                    program, "photos", "fit", file.string, "--max-bytes", "\(bound)", "--yes", "--json",
                    "--trash", trash.string,
                ], within: Self.limit, most: Self.largest, isQuiet: true)
            let fitted = try MirrorFile.read(file, limit: Self.largest)
            return fitted == card ? nil : fitted
        } catch { return nil }
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder.string) }
}
