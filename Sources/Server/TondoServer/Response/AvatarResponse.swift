package import NIOCore
internal import NIOHTTP1

/// The response with an avatar: its bytes, or 304 if the client has them.
package struct AvatarResponse: Sendable {
    private let whole: EncodedResponse
    private let unchanged: EncodedResponse
    private let tag: String

    /// `type`: of the bytes, such as `image/png`. `key`: their name, 64 hexadecimal digits. `isNegotiated`: a client that
    /// accepts other formats may get another response. `isPublic`: pages of all origins may read the bytes.
    package init(
        bytes: ByteBuffer, type: String, key: String, policy: CachePolicy, isNegotiated: Bool = false,
        isPublic: Bool = false
    ) {
        // The key is a digest of everything the bytes depend on, so equal tags mean equal bytes.
        tag = EntityTag.strong(key)
        // A 304 has what caches need of the 200 (RFC 9110 15.4.5).
        let fields =
            Self.fields(tag: tag, policy: policy) + (isNegotiated ? [("Vary", "Accept")] : [])
            + (isPublic ? [PublicOrigin.field] : [])
        whole = EncodedResponse(
            status: .ok, fields: fields + [("Content-Type", type), ("X-Content-Type-Options", "nosniff")],
            body: bytes)
        unchanged = EncodedResponse(status: .notModified, fields: fields, body: nil)
    }

    /// A 304 has the same Cache-Control field as a 200 (RFC 9110 15.4.5).
    private static func fields(tag: String, policy: CachePolicy) -> [(name: String, value: String)] {
        [("ETag", tag)] + (policy.value.map { [("Cache-Control", $0)] } ?? [])
    }

    /// Approximate number of bytes in memory.
    var size: Int {
        whole.head.storageCapacity + (whole.body?.storageCapacity ?? 0) + unchanged.head.storageCapacity + 512
    }

    /// `ifNoneMatch`: the values of the field joined by commas, nil without the field.
    package func response(ifNoneMatch: String?) -> EncodedResponse {
        // The common case: the field is exactly this one tag, so it need not be parsed.
        if let ifNoneMatch, ifNoneMatch == tag || EntityTag.isMatched(tag, ifNoneMatch: ifNoneMatch) {
            return unchanged
        }
        return whole
    }
}
