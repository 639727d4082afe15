internal import libnettle

/// MD5 (RFC 1321). It protects nothing: Gravatar's addresses and the colours of initials are defined by it.
///
/// ```swift
/// print(Hex.text(MD5.digest(of: Array("ada@example.org".utf8))))
/// ```
package enum MD5 {
    /// 16 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var state = md5_ctx()
        nettle_md5_init(&state)
        nettle_md5_update(&state, bytes.count, bytes)
        return [UInt8](unsafeUninitializedCapacity: 16) { digest, count in
            nettle_md5_digest(&state, 16, digest.baseAddress)
            count = 16
        }
    }
}
