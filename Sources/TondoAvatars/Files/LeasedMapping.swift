internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// A whole file mapped into memory while a read lease protects it from truncation: a writer blocks until the lease is
/// released, so no page can vanish during a read.
struct LeasedMapping {
    let bytes: UnsafeRawBufferPointer
    /// Holds the lease.
    private let descriptor: FileDescriptor

    /// Takes over `descriptor`, unless it returns nil because no lease is available (another owner, an open writer).
    init?(_ descriptor: FileDescriptor, count: Int) {
        Self.ignoreLeaseSignal()
        let setLease: Int32 = 1024
        guard fcntl(descriptor.rawValue, setLease, F_RDLCK) == 0 else { return nil }
        guard (try? FileStatus(descriptor))?.size == count,
            let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor.rawValue, 0), start != MAP_FAILED
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: count)
        self.descriptor = descriptor
    }

    /// Maps a copy of the file in an unnamed temporary file: for large files of other owners, which cannot be leased,
    /// so that they need not fit into memory. Nil if there is no space for a copy; `descriptor` stays open.
    init?(copying descriptor: FileDescriptor, count: Int) {
        guard let copy = Self.temporary() else { return nil }
        do {
            try Self.copy(descriptor, to: copy, count: count)
            guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, copy.rawValue, 0), start != MAP_FAILED else {
                throw Errno(rawValue: errno)
            }
            bytes = UnsafeRawBufferPointer(start: start, count: count)
            self.descriptor = copy
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
    private static func temporary() -> FileDescriptor? {
        // O_TMPFILE, which the Glibc module does not export.
        let unnamed = 0o20_000_000 | O_DIRECTORY
        for folder in ["/var/tmp", "/tmp"] {
            let file = open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
            if file >= 0 { return FileDescriptor(rawValue: file) }
        }
        return nil
    }

    /// The bytes are invalid after this.
    func end() {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        try? descriptor.close()
    }

    /// Drops the pages from memory; later accesses read them from the file again.
    static func forget(_ part: UnsafeRawBufferPointer) {
        madvise(UnsafeMutableRawPointer(mutating: part.baseAddress), part.count, MADV_DONTNEED)
    }

    /// The kernel announces a blocked writer by SIGIO, which would end the process; the writer waits only a short time
    /// anyway.
    static func ignoreLeaseSignal() { _ = ignoringLeaseSignal }

    private static let ignoringLeaseSignal: Void = {
        let previous = signal(SIGIO, SIG_IGN)
        if previous != nil { signal(SIGIO, previous) }
    }()
}
