package import NIOCore
internal import NIOHTTP1

/// A picture on its way out: the bytes of a PNG, with what the client has and asked taken into account.
package struct PictureAnswer: Sendable {
    private let whole: FastAnswer
    private let unchanged: FastAnswer
    private let tag: String

    /// `key` is what the bytes are named by, 64 hexadecimal digits.
    package init(png: ByteBuffer, key: String, policy: CachePolicy) {
        tag = EntityTag.strong(key)
        let fields = Self.fields(tag: tag, policy: policy)
        whole = FastAnswer(
            status: .ok, fields: fields + [("Content-Type", "image/png"), ("X-Content-Type-Options", "nosniff")],
            body: png)
        unchanged = FastAnswer(status: .notModified, fields: fields, body: nil)
    }

    /// A 304 repeats what a 200 would say about keeping (RFC 9110 15.4.5).
    private static func fields(tag: String, policy: CachePolicy) -> [(name: String, value: String)] {
        [("ETag", tag)] + (policy.value.map { [("Cache-Control", $0)] } ?? [])
    }

    /// Bytes in memory, about.
    var size: Int {
        whole.head.storageCapacity + (whole.body?.storageCapacity ?? 0) + unchanged.head.storageCapacity + 512
    }

    /// `ifNoneMatch`: the field's values joined by commas, nil without.
    package func answer(ifNoneMatch: String?) -> FastAnswer {
        // Nearly everybody sends just the tag; it need not be taken apart.
        if let ifNoneMatch, ifNoneMatch == tag || EntityTag.isMatched(tag, ifNoneMatch: ifNoneMatch) {
            return unchanged
        }
        return whole
    }
}
