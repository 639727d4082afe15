internal import Glibc
internal import Synchronization
package import SystemPackage
internal import TondoText

/// The checked bytes of an avatar in the cache, without their trailer, as the renderer made it.
package struct StoredAvatar: Sendable {
    /// A complete PNG or WebP, with its recipe in a tEXt chunk.
    package let bytes: [UInt8]
    /// The format that the first bytes show, whatever the file is named.
    package let format: EntryFormat
    let fields: String

    init(entryFile file: consuming [UInt8], key: CacheKey) throws(EntryTrailer.Damage) {
        let found = file.withUnsafeBytes { file in
            Result { () throws(EntryTrailer.Damage) in
                (try EntryTrailer.check(file, key: key), EntryTrailer.text(file))
            }
        }
        let (checked, fields) = try found.get()
        var file = file
        checked.format.removeTrailer(from: &file, body: checked.body)
        bytes = file
        format = checked.format
        self.fields = fields
    }

    /// Whether the entry names this contact. Searches the text as it is: decoding all names of an entry that many
    /// contacts share takes longer than reading it.
    package func shows(_ contact: String) -> Bool {
        strstr(" \(fields) ", " contact=\(PercentEncoding.encode(contact, as: .word)) ") != nil
    }

    /// Whether the entry does not name this contact, and has room for its name. The initials of thousands of contacts may
    /// share an entry.
    package func lacks(_ contact: String) -> Bool { !isFull && !shows(contact) }

    private var isFull: Bool {
        fields.withCString { text in
            var (next, count) = (strstr(text, " contact="), 0)
            while let found = next, count < EntryTrailer.mostContacts {
                count += 1
                next = strstr(found + 1, " contact=")
            }
            return count >= EntryTrailer.mostContacts
        }
    }
}

/// An entry that was found intact, with its file still open, so that exactly the checked bytes can be copied.
package final class OpenEntry {
    /// Its bytes as they were checked when the file was opened.
    package let avatar: StoredAvatar
    private let file: FileDescriptor
    private let cloning: Cloning

    /// Closes `file` at its end.
    init(avatar: StoredAvatar, file: FileDescriptor, cloning: Cloning) {
        self.avatar = avatar
        self.file = file
        self.cloning = cloning
    }

    deinit { try? file.close() }

    /// Writes the avatar to an empty file. If the file system supports it, the two files share their blocks (`FICLONE`,
    /// ioctl_ficlone(2)) up to the trailer, which is replaced by the end of the PNG. A WebP is a few blocks, and its header
    /// would change with the trailer: it is written.
    package func write(to target: FileDescriptor) throws {
        if try !clone(to: target) { _ = try target.writeAll(avatar.bytes) }
    }

    private func clone(to target: FileDescriptor) throws -> Bool {
        guard avatar.format == .png, cloning.isPossible.load(ordering: .relaxed) else { return false }
        // FICLONE is a macro that Swift does not import.
        let ficlone: UInt = 0x4004_9409
        guard ioctl(target.rawValue, ficlone, file.rawValue) == 0 else {
            // Another file system, or one without support: a retry would fail again.
            if [EOPNOTSUPP, ENOTTY, EXDEV, EINVAL].contains(errno) {
                cloning.isPossible.store(false, ordering: .relaxed)
            }
            return false
        }
        let size = avatar.bytes.count
        // All blocks stay shared, except for those at the end.
        let end = avatar.bytes.suffix(EntryFormat.end.count)
        _ = try target.writeAll(toAbsoluteOffset: Int64(size - end.count), end)
        if ftruncate(target.rawValue, off_t(size)) != 0 { throw Errno(rawValue: errno) }
        return true
    }
}

/// Whether the file system is assumed to support shared blocks.
final class Cloning: Sendable {
    let isPossible = Atomic(true)
}
