package import TondoDigest

/// One state of a photo's bytes: a version of a file, and for a photo inside an address book, its part of the file.
///
/// A program that changes a file changes its times, at least the inode's change time, which no program can set. So equal
/// identities mean equal bytes, except for a file that was changed twice within the granularity of the file system's clock;
/// `isSettled` excludes that.
package struct PhotoIdentity: Hashable, Sendable {
    /// The number of the file system (`st_dev`).
    package let device: UInt64
    /// Unique within the file system as long as the file exists; a later file may get the same number.
    package let inode: UInt64
    /// Bytes of the whole file.
    package let size: Int64
    /// Nanoseconds since 1970 of the last change of the bytes. Programs can set it to any time.
    package let modified: Int64
    /// Nanoseconds since 1970 of the last change of the inode, which no program can set.
    package let changed: Int64
    /// The first byte of the photo's text in the file; 0 for a photo that is a file.
    package var offset: Int64 = 0
    /// Bytes of that text; -1: the photo is the whole file.
    package var count: Int64 = -1
    /// The fingerprint of the photo's text when the book was read: another book version can have another photo there.
    package var fingerprint: UInt64 = 0

    /// The identity of a photo that is a whole file. For a part of a book, the caller sets the other properties, too.
    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// File systems store times in steps of up to two seconds (FAT), and Linux in steps of some milliseconds.
    private static let granularity: Int64 = 2_000_000_000

    /// Whether a later change of the file will certainly show in its times. `now`: nanoseconds since 1970, when its
    /// status was read. A file from the future, as after a clock was put back, is not settled.
    package func isSettled(now: Int64) -> Bool {
        let (latest, isBeforeAll) = now.subtractingReportingOverflow(Self.granularity)
        return !isBeforeAll && max(modified, changed) <= latest
    }
}

extension PhotoIdentity {
    static let byteCount = 64

    /// 64 bytes, little-endian.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        let values = [
            device, inode, UInt64(bitPattern: size), UInt64(bitPattern: modified), UInt64(bitPattern: changed),
            UInt64(bitPattern: offset), UInt64(bitPattern: count), fingerprint,
        ]
        for value in values { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        return bytes
    }

    /// Nil unless there are 64 bytes.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        func value(_ index: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        func signed(_ index: Int) -> Int64 { Int64(bitPattern: value(index)) }
        self.init(device: value(0), inode: value(1), size: signed(2), modified: signed(3), changed: signed(4))
        offset = signed(5)
        count = signed(6)
        fingerprint = value(7)
    }
}

/// What the keys of a photo's avatars depend on.
package struct PhotoFacts: Hashable, Sendable {
    /// The digest of the photo's bytes.
    package var digest: SHA256Digest
    /// What the header says, in the form of the photo's reader; the cache does not interpret it.
    package var header: UInt64

    package init(digest: SHA256Digest, header: UInt64) {
        self.digest = digest
        self.header = header
    }
}

extension PhotoFacts {
    static let byteCount = 40

    /// 40 bytes, little-endian.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        let quarters = digest.quarters
        for value in [quarters[0], quarters[1], quarters[2], quarters[3], header] {
            withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
        }
        return bytes
    }

    /// Nil unless there are 40 bytes.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        func value(_ index: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        let digest = SHA256Digest(SIMD4(value(0), value(1), value(2), value(3)))
        self.init(digest: digest, header: value(4))
    }
}
