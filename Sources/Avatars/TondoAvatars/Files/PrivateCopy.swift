internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// A copy of a file in an unnamed temporary file, mapped into memory: for large files that need not fit into memory. No
/// other program can cut it short, as it could the file itself, where reading would then end the process (SIGBUS).
struct PrivateCopy {
    let bytes: UnsafeRawBufferPointer
    /// A descriptor of the copy, which its owner closes.
    let file: FileDescriptor

    /// Nil if there is no space for a copy; `descriptor` stays open.
    init?(of descriptor: FileDescriptor, count: Int) {
        guard let copy = Self.temporary() else { return nil }
        do {
            try Self.copy(descriptor, to: copy, count: count)
            guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, copy.rawValue, 0), start != MAP_FAILED else {
                throw Errno.noMemory
            }
            bytes = UnsafeRawBufferPointer(start: start, count: count)
            file = copy
        } catch {
            try? copy.close()
            return nil
        }
    }

    private static func copy(_ file: FileDescriptor, to copy: FileDescriptor, count: Int) throws {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        var copied = 0
        while copied < count {
            let got = try file.read(fromAbsoluteOffset: Int64(copied), into: piece)
            // The file was truncated meanwhile.
            if got == 0 { throw Errno.ioError }
            try copy.writeAll(UnsafeRawBufferPointer(rebasing: piece[..<got]))
            copied += got
        }
    }

    /// On a disk if possible: `/tmp` is often memory.
    static func temporary() -> FileDescriptor? {
        // O_TMPFILE, which the Glibc module does not export.
        let unnamed = 0o20_000_000 | O_DIRECTORY
        for folder in ["/var/tmp", "/tmp"] {
            let file = open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
            if file >= 0 { return FileDescriptor(rawValue: file) }
        }
        return nil
    }

    /// The bytes are invalid after this.
    func end() { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    /// Drops the pages from memory; later accesses read them from the copy again.
    static func forget(_ part: UnsafeRawBufferPointer) {
        madvise(UnsafeMutableRawPointer(mutating: part.baseAddress), part.count, MADV_DONTNEED)
    }
}
