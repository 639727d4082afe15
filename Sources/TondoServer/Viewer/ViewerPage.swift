internal import Crypto
internal import NIOCore
internal import NIOHTTP1

/// The viewer page at `/`, embedded in the program. Its policy permits its own script and style, and requests to this
/// service only (CSP level 3).
package struct ViewerPage: Sendable {
    package let encoded: EncodedResponse

    /// The page of `assets/viewer`.
    package static let own = ViewerPage(html: PackageResources.index_html)

    init(html: [UInt8]) {
        let text = String(decoding: html, as: UTF8.self)
        let policy =
            "default-src 'none'; script-src \(Self.hash(of: "script", in: text)); "
            + "style-src \(Self.hash(of: "style", in: text)); img-src 'self' data:; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        let fields = [
            ("Content-Type", "text/html; charset=utf-8"), ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-cache"), ("Referrer-Policy", "no-referrer"), ("Content-Security-Policy", policy),
        ]
        encoded = EncodedResponse(status: .ok, fields: fields, body: ByteBuffer(bytes: html))
    }

    /// `'sha256-...'` of the content of the page's only element with this name.
    private static func hash(of element: String, in text: String) -> String {
        guard let start = text.firstRange(of: "<\(element)>"), let end = text.firstRange(of: "</\(element)>") else {
            return "'none'"
        }
        let digest = SHA256.hash(data: Array(text[start.upperBound..<end.lowerBound].utf8))
        return "'sha256-\(base64(Array(digest)))'"
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let value = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for index in 0..<4 { text.append(index <= part.count ? digits[value >> (18 - 6 * index) & 63] : "=") }
        }
        return text
    }
}
