internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import TondoDigest
internal import TondoText

/// The files of the viewer, embedded in the program: the page at `/`, its service worker and its manifest at addresses that
/// stay, and the others below an address that contains their digest, so that browsers keep them for ever.
///
/// The policy permits what comes from this service only, and no script or style within the page (CSP level 3, Trusted
/// Types). One policy of Trusted Types is permitted, for the address of the worker.
package struct ViewerAssets: Sendable {
    struct File: Equatable, Sendable {
        var name: String
        var bytes: [UInt8]
    }

    /// The files of `assets/viewer`.
    package static let own = ViewerAssets(
        files: ViewerFiles.all.map { file in
            File(name: file.name, bytes: Self.bytes(of: file.text, name: file.name))
        })

    /// Pictures that are no text are embedded in Base64.
    static func bytes(of text: StaticString, name: String) -> [UInt8] {
        let bytes = text.withUTF8Buffer { Array($0) }
        guard name.hasSuffix(".png") else { return bytes }
        return Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters).map { Array($0) } ?? []
    }

    /// 16 hexadecimal digits.
    let hash: String
    let page: EncodedResponse
    private let pinned: [String: EncodedResponse]
    private let files: [String: EncodedResponse]

    static let pageName = "index.html"

    /// Files with addresses of their own: what they control is below their address, or browsers compare it.
    static let pinnedNames = ["worker.js", "manifest.webmanifest"]

    /// What browsers and search engines request unasked, which is open to all: the icon, and the request that nothing is indexed.
    static let unaskedNames = ["favicon.ico", "robots.txt"]

    /// Files of an unknown type are left out.
    init(files: [File]) {
        let hash = Self.hash(of: files)
        self.hash = hash
        let (page, sheet) = Self.joined(files)
        self.page = Self.response(Self.filled(page, hash: hash), type: "text/html; charset=utf-8", policy: .revalidate)
        let pinned = files.filter { Self.pinnedNames.contains($0.name) }.map { file -> (String, EncodedResponse) in
            let type = Self.type(of: file.name) ?? ""
            return (file.name, Self.response(Self.filled(file, hash: hash), type: type, policy: .revalidate))
        }
        let icon = files.first { $0.name == "icon-180.png" }?.bytes ?? []
        let unasked = [
            ("favicon.ico", Self.response(icon, type: "image/png", policy: .revalidate)),
            (
                "robots.txt",
                Self.response(Array("User-agent: *\nDisallow: /\n".utf8), type: "text/plain", policy: .revalidate)
            ),
        ]
        self.pinned = Dictionary(pinned + unasked) { first, _ in first }
        let others = (files + [sheet]).compactMap { file -> (String, EncodedResponse)? in
            let isOwn = file.name == Self.pageName || Self.pinnedNames.contains(file.name)
            guard !isOwn, let type = Self.type(of: file.name) else { return nil }
            return (file.name, Self.response(file.bytes, type: type, policy: .forEver))
        }
        self.files = Dictionary(others) { first, _ in first }
    }

    /// The style sheets of the page for screens, one for each view, become one file: each request costs the time of a journey.
    static let sheetName = "viewer.css"

    /// The page that refers to the joined sheet in place of its parts, which are in its order.
    private static func joined(_ files: [File]) -> (page: File, sheet: File) {
        let page = files.first { $0.name == pageName } ?? File(name: pageName, bytes: [])
        let (start, end) = ("<link rel=\"stylesheet\" href=\"{{base}}/", "\">")
        var (lines, bytes): ([Substring], [UInt8]) = ([], [])
        for line in String(decoding: page.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        {
            // Sheets for paper have another ending, and stay as they are.
            guard line.hasPrefix(start), line.hasSuffix(".css\(end)"),
                let part = files.first(where: { $0.name == line.dropFirst(start.count).dropLast(end.count) })
            else {
                lines.append(line)
                continue
            }
            if bytes.isEmpty { lines.append("\(start)\(sheetName)\(end)") }
            bytes += part.bytes
        }
        return (
            File(name: pageName, bytes: Array(lines.joined(separator: "\n").utf8)), File(name: sheetName, bytes: bytes)
        )
    }

    /// Nil for another version of the viewer, and for a file that it does not have.
    func response(hash: String, name: String) -> EncodedResponse? { hash == self.hash ? files[name] : nil }

    /// A file of `pinnedNames` or `unaskedNames`; nil for others.
    func response(pinned name: String) -> EncodedResponse? { pinned[name] }

    private static func filled(_ file: File, hash: String) -> [UInt8] {
        let text = String(decoding: file.bytes, as: UTF8.self)
        return Array(text.replacing("{{base}}", with: "/viewer/\(hash)").utf8)
    }

    private static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "js": "text/javascript"
        case "css": "text/css"
        case "svg": "image/svg+xml"
        case "json": "application/json"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
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
        "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types tondo",
    ].joined(separator: "; ")
}
