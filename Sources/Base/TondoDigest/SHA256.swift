internal import libnettle

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
///
/// ```swift
/// var hash = SHA256()
/// hash.update("Ada".utf8)
/// print(hash.finish().hexadecimal)
/// ```
package struct SHA256: ~Copyable {
    private var state = sha256_ctx()

    package init() { nettle_sha256_init(&state) }

    /// Appends bytes to the hashed text. Nothing is retained, and an empty buffer changes nothing.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        nettle_sha256_update(&state, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// Appends bytes; those that are not contiguous in memory are copied into an array first.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isContiguous == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The digest of all bytes so far. It consumes the hash, since nettle starts a new one in the same state.
    package consuming func finish() -> SHA256Digest {
        withUnsafeTemporaryAllocation(byteCount: SHA256Digest.byteCount, alignment: 8) { bytes in
            nettle_sha256_digest(&state, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
            return SHA256Digest(loading: UnsafeRawBufferPointer(bytes))
        }
    }
}
