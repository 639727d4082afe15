internal import FoundationEssentials
internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// A whole entry's file in memory, read from an open descriptor.
struct EntryFile {
    let bytes: [UInt8]
    let state: FileStatus

    /// Larger entries are never stored. 3072 x 3072 pixels that cannot be compressed are 38 MB.
    static let largest = 64 << 20

    /// `size`: bytes from `lstat`, to save a call; -1: unknown.
    static func bytes(_ file: FileDescriptor, size: Int) throws(Errno) -> [UInt8] {
        do {
            // One byte more than expected: a file that has grown since then fails its check.
            return try [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
                let target = UnsafeMutableRawBufferPointer(buffer)
                while count <= size {
                    let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
                    count += got
                    // A regular file returns all of its bytes: a second call would only confirm the end.
                    if got == 0 || count == size { break }
                }
            }
        } catch { throw error as? Errno ?? .ioError }
    }

    /// `bytes`: none if it is not a regular file.
    init(bytes: [UInt8], state: FileStatus) {
        self.bytes = bytes
        self.state = state
    }

    init(_ file: FileDescriptor) throws(Errno) {
        state = try FileStatus(file)
        let isPossible = state.kind == .regular && state.size <= Self.largest
        bytes = isPossible ? try Self.bytes(file, size: state.size) : []
    }

    /// The avatar of an intact entry. Its recipe is not checked.
    func avatar(key: CacheKey) throws(EntryTrailer.Damage) -> StoredAvatar {
        if state.size > Self.largest { throw .large }
        return try StoredAvatar(entryFile: bytes, key: key)
    }

    /// The index data of an intact entry.
    func entry(key: CacheKey) throws(EntryTrailer.Damage) -> Entry {
        if state.size > Self.largest { throw .large }
        let result = bytes.withUnsafeBytes { file in
            Result { () throws(EntryTrailer.Damage) in try Self.entry(key, in: file) }
        }
        return try result.get()
    }

    private static func entry(_ key: CacheKey, in file: UnsafeRawBufferPointer) throws(EntryTrailer.Damage) -> Entry {
        _ = try EntryTrailer.check(file, key: key)
        guard let trailer = EntryTrailer(file) else { throw .noTrailer }
        guard let recipe = RecipeReader.recipe(in: file), CacheKey(recipe: recipe.text) == key else { throw .recipe }
        let created = Date(milliseconds: trailer.created)
        return Entry(
            key: key, recipe: recipe, size: file.count, cost: trailer.cost, created: created, used: created,
            contacts: trailer.contacts)
    }
}
