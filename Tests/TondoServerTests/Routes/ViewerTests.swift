import NIOCore
import Testing
import TondoEndpoints

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct ViewerTests {
    private let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types tondo"

    private func check(_ response: RawResponse) {
        #expect(response.status == 200)
        #expect(response.field("content-security-policy") == policy)
        #expect(response.field("x-content-type-options") == "nosniff")
        #expect(response.field("referrer-policy") == "no-referrer")
        #expect(response.field("cross-origin-resource-policy") == "same-origin")
    }

    @Test func `The page and its files come with all they are allowed to do`() async throws {
        try await RunningService.run { service in
            let page = try await service.get("/")
            check(page)
            #expect(page.field("content-type") == "text/html; charset=utf-8")
            #expect(page.field("cache-control") == "no-cache")
            #expect(page.bytes.count == ViewerAssets.own.page.body?.readableBytes)
            let head = try await service.server.client().head("/")
            #expect(head.field("content-length") == "\(page.bytes.count)")
            for (name, type) in ["app.js": "text/javascript", "base.css": "text/css"] {
                let file = try await service.get("/viewer/\(ViewerAssets.own.hash)/\(name)")
                check(file)
                #expect(file.field("content-type") == type)
                #expect(file.field("cache-control") == "public, max-age=31536000, immutable")
            }
        }
    }

    @Test func `The style sheets for screens are one file, in the order of the page`() throws {
        let page = """
            <link rel="stylesheet" href="{{base}}/b.css">
            <link rel="stylesheet" href="{{base}}/a.css">
            <link rel="stylesheet" href="{{base}}/print.css" media="print">
            """
        let files = [("a.css", "a{}"), ("b.css", "b{}"), ("print.css", "p{}"), ("index.html", page)]
        let assets = ViewerAssets(files: files.map { ViewerAssets.File(name: $0.0, bytes: Array($0.1.utf8)) })
        let html = String(buffer: try #require(assets.page.body))
        #expect(html.split(separator: "\n").count == 2 && html.contains("/viewer.css\">\n"))
        #expect(html.contains("/print.css\" media=\"print\">"))
        let sheet = try #require(assets.response(hash: assets.hash, name: "viewer.css")?.body)
        #expect(String(buffer: sheet) == "b{}a{}")
    }

    @Test(arguments: [
        ("worker.js", "text/javascript"), ("manifest.webmanifest", "application/manifest+json"),
    ])
    func `Browsers ask for the worker and the manifest each time`(_ name: String, type: String) async throws {
        try await RunningService.run { service in
            let file = try await service.get("/\(name)")
            check(file)
            #expect(file.field("content-type") == type && file.field("cache-control") == "no-cache")
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(text.contains("/viewer/\(ViewerAssets.own.hash)"))
        }
    }

    @Test(arguments: [
        "HASH/none.js", "HASH/worker.js", "HASH/index.html", "0123456789abcdef/app.js", "HASH", "HASH/app.js/x",
        "HASH/..%2Fx",
    ])
    func `Nothing else is below the viewer`(_ path: String) async throws {
        try await RunningService.run { service in
            let path = path.replacing("HASH", with: ViewerAssets.own.hash)
            let response = try await service.get("/viewer/\(path)")
            #expect(response.status == 404 && response.json["code"] as? String == "not-found")
            #expect(response.field("cache-control") == nil)
        }
    }

    @Test func `Other machines get the files only where they get the page`() async throws {
        let file = "/viewer/\(ViewerAssets.own.hash)/app.js"
        for open in [false, true] {
            let requestGuard = RequestGuard(hosts: HostGuard(), token: nil, open: open ? [.viewer] : [])
            try await RunningService.run(guard: requestGuard) { service in
                for path in ["/", file, "/worker.js", "/manifest.webmanifest"] {
                    let response = try await service.get(path, fields: "X-Forwarded-For: 192.0.2.1\r\n")
                    #expect(response.status == (open ? 200 : 401), "\(path)")
                    if open { check(response) }
                }
            }
        }
    }
}
