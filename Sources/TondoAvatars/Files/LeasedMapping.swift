internal import Glibc
internal import SystemPackage

/// A whole file mapped into memory while a read lease keeps it from being cut short: whoever wants to write to it waits
/// until the lease is given back, so no page can vanish under a reader.
struct LeasedMapping {
    let bytes: UnsafeRawBufferPointer
    /// Holds the lease.
    private let descriptor: FileDescriptor

    /// Takes over `descriptor` unless it gives nil, when no lease is to be had (another owner, an open writer).
    init?(_ descriptor: FileDescriptor, count: Int) {
        Self.ignoreLeaseSignal()
        let setLease: Int32 = 1024
        guard fcntl(descriptor.rawValue, setLease, F_RDLCK) == 0 else { return nil }
        guard FileStatus(descriptor)?.size == count,
            let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor.rawValue, 0), start != MAP_FAILED
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: count)
        self.descriptor = descriptor
    }

    /// The bytes are gone after this.
    func end() {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        try? descriptor.close()
    }

    /// Gives memory back; the pages are read from the file again when they are looked at.
    static func forget(_ part: UnsafeRawBufferPointer) {
        madvise(UnsafeMutableRawPointer(mutating: part.baseAddress), part.count, MADV_DONTNEED)
    }

    /// The kernel announces a waiting writer by SIGIO, which would end the process; the writer's wait is short anyway.
    static func ignoreLeaseSignal() { _ = ignoringLeaseSignal }

    private static let ignoringLeaseSignal: Void = {
        let previous = signal(SIGIO, SIG_IGN)
        if previous != nil { signal(SIGIO, previous) }
    }()
}
