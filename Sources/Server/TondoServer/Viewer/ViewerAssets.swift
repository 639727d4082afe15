internal import NIOCore
internal import NIOHTTP1
internal import TondoDigest
internal import TondoText

/// The files of the viewer, embedded in the program: the page at `/`, and the others below an address that contains their
/// digest, so that browsers keep them for ever.
///
/// The policy permits what comes from this service only, and no script or style within the page (CSP level 3, Trusted
/// Types).
package struct ViewerAssets: Sendable {
    struct File: Equatable, Sendable {
        var name: String
        var bytes: [UInt8]
    }

    /// The files of `assets/viewer`.
    package static let own = ViewerAssets(
        files: ViewerFiles.all.map { file in
            File(name: file.name, bytes: file.text.withUTF8Buffer { Array($0) })
        })

    /// 16 hexadecimal digits.
    let hash: String
    let page: EncodedResponse
    private let files: [String: EncodedResponse]

    static let pageName = "index.html"

    /// Files of an unknown type are left out.
    init(files: [File]) {
        let hash = Self.hash(of: files)
        self.hash = hash
        let html = files.first { $0.name == Self.pageName }.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        let page = Array(html.replacing("{{base}}", with: "/viewer/\(hash)").utf8)
        self.page = Self.response(page, type: "text/html; charset=utf-8", policy: .revalidate)
        let others = files.compactMap { file -> (String, EncodedResponse)? in
            guard file.name != Self.pageName, let type = Self.type(of: file.name) else { return nil }
            return (file.name, Self.response(file.bytes, type: type, policy: .forEver))
        }
        self.files = Dictionary(others) { first, _ in first }
    }

    /// Nil for another version of the viewer, and for a file that it does not have.
    func response(hash: String, name: String) -> EncodedResponse? { hash == self.hash ? files[name] : nil }

    private static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "js": "text/javascript"
        case "css": "text/css"
        case "svg": "image/svg+xml"
        case "json": "application/json"
        default: nil
        }
    }

    private static func hash(of files: [File]) -> String {
        var digest = SHA256()
        for file in files.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            digest.update(file.name.utf8)
            digest.update(file.bytes)
        }
        return String(digest.finish().hexadecimal.prefix(16))
    }

    private static func response(_ bytes: [UInt8], type: String, policy: CachePolicy) -> EncodedResponse {
        let fields = [
            ("Content-Type", type), ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", policy.value ?? "no-cache"),
            ("Referrer-Policy", "no-referrer"), ("Content-Security-Policy", contentPolicy),
        ]
        return EncodedResponse(status: .ok, fields: fields, body: ByteBuffer(bytes: bytes))
    }

    static let contentPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")
}
