internal import Glibc
package import SystemPackage
internal import TondoCache
internal import TondoDigest
internal import TondoImage

/// An open file that holds the bytes of a photo, for a process that reads them itself. Closed with its last owner.
package final class PhotoHandle: Sendable {
    package let file: FileDescriptor
    package let offset: Int
    package let count: Int
    /// Nil: no other process can change the file.
    private let identity: PhotoIdentity?

    /// Takes over `file`, which is private.
    init(file: FileDescriptor, count: Int) {
        self.file = file
        offset = 0
        self.count = count
        identity = nil
    }

    /// The rest of a file from the descriptor's position. Nil if a change of the file might not show in its times, or if
    /// half of the permitted descriptors are in use.
    init?(duplicating file: FileDescriptor, count: Int, now: Int64 = .nanosecondsSince1970) {
        guard let identity = PhotoIdentity(file), identity.isSettled(now: now),
            let position = try? file.seek(offset: 0, from: .current), position < identity.size
        else { return nil }
        guard let copy = Self.duplicate(file) else { return nil }
        self.file = FileDescriptor(rawValue: copy)
        self.identity = identity
        offset = Int(position)
        self.count = min(count, Int(identity.size - position))
    }

    /// The kernel gives the lowest free number, so a high one means that descriptors are scarce.
    private static func duplicate(_ file: FileDescriptor) -> Int32? {
        let copy = fcntl(file.rawValue, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, copy < limit.rlim_cur / 2 {
            return copy
        }
        close(copy)
        return nil
    }

    deinit { try? file.close() }

    /// Reads the file in parts for its digest; the header is in the first one, or the result is nil, as it is if the file ends
    /// early. Blocks.
    func probe() -> (digest: SHA256Digest, geometry: PhotoGeometry)? {
        var (read, geometry) = (0, PhotoGeometry?.none)
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { part.deallocate() }
        let digest = SHA256Digest { update in
            while read < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: part[..<min(part.count, count - read)])
                let got = (try? file.read(fromAbsoluteOffset: Int64(offset + read), into: rest)) ?? 0
                let bytes = UnsafeRawBufferPointer(rebasing: part[..<got])
                if read == 0 { geometry = try? PhotoGeometry(probing: bytes) }
                if got == 0 || geometry == nil { return }
                update(bytes)
                read += got
            }
        }
        return geometry.flatMap { read == count ? (digest, $0) : nil }
    }

    /// Whether everything that was read from the file since it was opened are the same bytes.
    package var isUnchanged: Bool { identity == nil || identity == PhotoIdentity(file) }
}
