/// The bytes of one file: in an array, or in memory with another owner, such as a mapped file. Pages of a mapped file
/// can be released after reading, so that a large file does not have to fit into memory.
package struct FileBytes: Sendable {
    @usableFromInline
    enum Storage: Sendable {
        case array([UInt8])
        case borrowed(Borrowed)
    }

    /// Retains the owner as long as the bytes are used.
    @usableFromInline
    final class Borrowed: @unchecked Sendable {
        // Safe because it is immutable, and the owner keeps the bytes in place.
        @usableFromInline let bytes: UnsafeRawBufferPointer
        let owner: any AnyObject & Sendable
        let release: @Sendable (Range<Int>) -> Void

        init(
            _ bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable,
            release: @escaping @Sendable (Range<Int>) -> Void
        ) {
            self.bytes = bytes
            self.owner = owner
            self.release = release
        }
    }

    @usableFromInline let storage: Storage
    /// The part that this value represents.
    @usableFromInline let part: Range<Int>

    /// Keeps the array; releasing parts of it does nothing.
    package init(_ bytes: [UInt8]) {
        storage = .array(bytes)
        part = 0..<bytes.count
    }

    /// `owner`: keeps `bytes` in place as long as it lives. `release`: gets bytes that may be dropped from memory; they
    /// can be read again.
    package init(
        _ bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable,
        release: @escaping @Sendable (Range<Int>) -> Void
    ) {
        storage = .borrowed(Borrowed(bytes, owner: owner, release: release))
        part = 0..<bytes.count
    }

    private init(storage: Storage, part: Range<Int>) {
        self.storage = storage
        self.part = part
    }

    /// Bytes of this part, and not of the whole storage.
    package var count: Int { part.count }
    package var isEmpty: Bool { part.isEmpty }

    /// The buffer is valid during the call only. Reading it may block while the kernel loads a page of a mapped file.
    @inlinable
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .array(let array):
            // The array's own method loses the type of the error, so it travels as a result.
            let outcome = array.withUnsafeBytes { bytes in
                Swift.Result { () throws(Failure) in try body(UnsafeRawBufferPointer(rebasing: bytes[part])) }
            }
            return try outcome.get()
        case .borrowed(let borrowed):
            defer { withExtendedLifetime(borrowed) {} }
            return try body(UnsafeRawBufferPointer(rebasing: borrowed.bytes[part]))
        }
    }

    /// Like `withUnsafeBytes`, for callers that index bytes by their type.
    @inlinable
    package func withUnsafeBufferPointer<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeBytes { body($0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// A copy of some bytes.
    package subscript(range: Range<Int>) -> [UInt8] { withUnsafeBytes { Array($0[range]) } }

    /// False if there are fewer bytes than the prefix has.
    package func starts(with prefix: [UInt8]) -> Bool { withUnsafeBytes { $0.starts(with: prefix) } }

    /// Compares bytes without a copy. `range`: must be inside `0..<count`.
    @inlinable
    package func elementsEqual(in range: Range<Int>, to word: some Sequence<UInt8>) -> Bool {
        withUnsafeBytes { $0[range].elementsEqual(word) }
    }

    /// Without the first bytes; nothing is copied.
    package func dropFirst(_ count: Int) -> FileBytes {
        FileBytes(storage: storage, part: min(part.lowerBound + count, part.upperBound)..<part.upperBound)
    }

    /// The first bytes, `count` at most; nothing is copied.
    package func prefix(_ count: Int) -> FileBytes {
        FileBytes(storage: storage, part: part.lowerBound..<min(part.lowerBound + count, part.upperBound))
    }

    /// These bytes were read and may be dropped from memory.
    package func release(_ range: Range<Int>) {
        guard case .borrowed(let borrowed) = storage else { return }
        borrowed.release(part.lowerBound + range.lowerBound..<part.lowerBound + range.upperBound)
    }

    /// The number of bytes that are released at once.
    package static let piece = 1 << 20

    /// Passes all bytes in pieces, and releases each. `isEnd`: the piece is the last one.
    package func forEachPiece(_ body: (_ piece: UnsafeRawBufferPointer, _ isStart: Bool, _ isEnd: Bool) -> Void) {
        var start = 0
        while start < count {
            let end = min(start + Self.piece, count)
            withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<end]), start == 0, end == count) }
            if end - start == Self.piece { release(start..<end) }
            start = end
        }
    }
}

/// A reader's progress, so that the bytes behind it are released now and then.
package struct ReadBytes {
    private let bytes: FileBytes
    @usableFromInline var released = 0

    /// Starts before the first byte.
    package init(_ bytes: FileBytes) { self.bytes = bytes }

    /// Marks all bytes before `end` as read. Releases them by `FileBytes.piece` bytes; a smaller `end` than before
    /// starts there.
    @inlinable @inline(__always)
    package mutating func passed(_ end: Int) {
        if end - released >= FileBytes.piece || end < released { release(end) }
    }

    @usableFromInline
    mutating func release(_ end: Int) {
        // The reader may have gone back.
        if released < end { bytes.release(released..<end) }
        released = end
    }
}
