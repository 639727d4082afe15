import Foundation
import Testing
import TondoAvatars
import TondoEndpoints
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct BulkAvatarsTests {
    /// An avatar of a response.
    private struct Part {
        var head: [String: Any]
        var bytes: [UInt8]

        var id: String { head["id"] as? String ?? "" }
        var status: Int { head["status"] as? Int ?? 0 }
        var key: String? { head["key"] as? String }
    }

    private struct Request: Encodable {
        var size: Int? = 96
        var scale: Int? = 2
        var state: String? = "normal"
        var format: String?
        var ids: [String] = []
    }

    /// The body of a chunked response; a scalar of `text` is a byte. Nil while it is not whole.
    private static func body(_ text: String) -> [UInt8]? {
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        var (body, rest) = ([UInt8](), bytes[end.upperBound...])
        while let line = rest.firstRange(of: Array("\r\n".utf8)) {
            guard let length = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) else {
                return nil
            }
            if length == 0 { return body }
            guard rest.endIndex >= line.upperBound + length + 2 else { return nil }
            body += rest[line.upperBound..<line.upperBound + length]
            rest = rest[(line.upperBound + length + 2)...]
        }
        return nil
    }

    private static func parts(_ body: [UInt8]) throws -> [Part] {
        var (parts, rest) = ([Part](), body[...])
        func next() -> [UInt8] {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
        while !rest.isEmpty {
            let head = try #require(try JSONSerialization.jsonObject(with: Data(next())) as? [String: Any])
            parts.append(Part(head: head, bytes: next()))
        }
        return parts
    }

    private func send(_ request: Request, fields: String = "", over client: RawClient) async throws {
        let body = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        try await client.send(
            "POST /v1/avatars HTTP/1.1\r\nHost: localhost\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
    }

    private func avatars(_ request: Request, _ service: RunningService) async throws -> [Part] {
        let client = try await service.server.client()
        try await send(request, over: client)
        let text = try await client.read(endingWith: "0\r\n\r\n") { Self.body($0) != nil }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("application/octet-stream"))
        try await client.close()
        return try Self.parts(try #require(Self.body(text)))
    }

    private static func people(_ count: Int) -> [String: String] {
        let cards = (0..<count).map { ("p\($0)", Card.card("p\($0)", photo: Card.inline(UInt8($0 + 1)))) }
        return Dictionary(uniqueKeysWithValues: cards)
    }

    @Test func `All avatars come in the requested format, and PNG is usual`() async throws {
        try await RunningService.run { service in
            for (format, type) in [("webp", "image/webp"), ("png", "image/png"), (nil, "image/png")] {
                let parts = try await avatars(Request(format: format, ids: ["ada", "bob"]), service)
                #expect(parts.map { $0.head["type"] as? String } == [type, type])
                let kind: ImageKind = format == "webp" ? .webp : .png
                #expect(parts.allSatisfy { $0.bytes.withUnsafeBytes { ImageKind($0) } == kind })
            }
        }
    }

    @Test func `Each contact gets the avatar that it gets alone, also a placeholder`() async throws {
        try await RunningService.run { service in
            // The second time they come from the cache.
            for _ in 0..<2 {
                let parts = try await avatars(Request(ids: ["ada", "bob", "eve", "nobody", "ada"]), service)
                #expect(parts.map(\.id).sorted() == ["ada", "bob", "eve", "nobody"])
                for part in parts {
                    let alone = try await service.get("/v1/contacts/\(part.id)/avatar?size=96&scale=2&state=normal")
                    #expect(part.status == alone.status && (part.status == 200) == (part.id != "nobody"))
                    guard part.status == 200 else {
                        #expect(part.bytes.isEmpty && part.key == nil && part.head["type"] == nil)
                        #expect(part.head["code"] as? String == "contact-not-found")
                        continue
                    }
                    #expect(part.bytes == alone.bytes && part.key.map { "\"\($0)\"" } == alone.field("etag"))
                    #expect(part.head["type"] as? String == "image/png")
                }
            }
            #expect(try await avatars(Request(), service).isEmpty)
            let small = try await avatars(Request(size: nil, scale: nil, state: nil, ids: ["ada"]), service)
            #expect(try await service.get("/v1/contacts/ada/avatar").bytes == small.first?.bytes)
        }
    }

    @Test func `One worker draws all of them, one after the other`() async throws {
        var pipeline = AvatarPipeline.Options()
        (pipeline.queue.workers, pipeline.queue.spares) = (1, 0)
        // More than are loaded at a time.
        try await RunningService.run(Self.people(20), pipeline: pipeline) { service in
            let ids = (0..<20).map { "p\($0)" }
            let parts = try await avatars(Request(ids: ids), service)
            #expect(Set(parts.map(\.id)) == Set(ids) && parts.count == 20)
            #expect(parts.allSatisfy { $0.status == 200 && !$0.bytes.isEmpty })
        }
    }

    @Test func `A full queue refuses single avatars, and the others come`() async throws {
        var pipeline = AvatarPipeline.Options()
        (pipeline.queue.workers, pipeline.queue.spares, pipeline.queue.depth) = (1, 0, 2)
        try await RunningService.run(Self.people(6), pipeline: pipeline) { service in
            service.addressBooks.pipeline.pause()
            let client = try await service.server.client()
            try await send(Request(ids: (0..<6).map { "p\($0)" } + ["nobody"]), over: client)
            _ = try await client.read { $0.components(separatedBy: "queue-full").count > 4 && $0.contains("nobody") }
            service.addressBooks.pipeline.resume()
            let text = try await client.read(endingWith: "0\r\n\r\n") { Self.body($0) != nil }
            let parts = try Self.parts(try #require(Self.body(text)))
            #expect(parts.map(\.status).sorted() == [200, 200, 404, 503, 503, 503, 503])
            #expect(parts.filter { $0.status == 503 }.allSatisfy { $0.bytes.isEmpty && $0.key == nil })
            // The client tries again.
            let again = try await avatars(Request(ids: parts.filter { $0.status == 503 }.prefix(2).map(\.id)), service)
            #expect(again.map(\.status) == [200, 200])
        }
    }

    @Test func `What is ready is sent before the rest is drawn`() async throws {
        try await RunningService.run(Self.people(3)) { service in
            #expect(try await avatars(Request(ids: ["p1"]), service).count == 1)
            service.addressBooks.pipeline.pause()
            let client = try await service.server.client()
            try await send(Request(ids: ["p0", "p1", "p2"]), over: client)
            _ = try await client.read { $0.contains(#""id":"p1""#) }
            service.addressBooks.pipeline.resume()
            _ = try await client.read(endingWith: "0\r\n\r\n") { Self.body($0) != nil }
        }
    }

    @Test func `For a client that is gone no more are drawn`() async throws {
        var pipeline = AvatarPipeline.Options()
        (pipeline.queue.workers, pipeline.queue.spares) = (1, 0)
        try await RunningService.run(Self.people(60), pipeline: pipeline) { service in
            let pipeline = service.addressBooks.pipeline
            pipeline.pause()
            let client = try await service.server.client()
            try await send(Request(ids: (0..<60).map { "p\($0)" }), over: client)
            #expect(await eventually { pipeline.counters.queued >= 8 })
            // No more than these are loaded at a time. A request takes its turn on the threads that all tests share: few.
            for _ in 0..<3 { #expect(try await service.get("/healthz").status == 200) }
            #expect(pipeline.counters.queued == 8)
            try await client.close()
            for _ in 0..<3 { #expect(try await service.get("/healthz").status == 200) }
            pipeline.resume()
            #expect(await eventually { pipeline.counters.done >= 8 && pipeline.counters.queued == 0 })
            for _ in 0..<10 { #expect(try await service.get("/healthz").status == 200) }
            #expect(pipeline.counters.done < 40)
        }
    }

    @Test(arguments: [
        ("{}", "ids"), (#"{"ids":"ada"}"#, "ids"), (#"{"ids":[7]}"#, "ids"), ("", "ids"),
        (#"{"ids":[],"size":0}"#, "size"),
        (#"{"ids":[],"size":1025}"#, "size"), (#"{"ids":[],"scale":4}"#, "scale"),
        (#"{"ids":[],"state":"x"}"#, "state"),
        (#"{"ids":[\#(Array(repeating: #""a""#, count: 101).joined(separator: ","))]}"#, "ids"),
        (#"{"ids":["a"],"size":"96"}"#, "size"),
    ])
    func `A bad member is named`(_ body: String, _ name: String) async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send(
                "POST /v1/avatars HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let response = try await client.response()
            #expect(response.status == 400 && response.json["code"] as? String == "bad-parameter")
            #expect((response.json["detail"] as? String)?.hasPrefix("\(name) must be ") == true)
        }
    }

    @Test func `They need what a list and an avatar need, and no page of another site gets them`() async throws {
        let remote = "X-Forwarded-For: 192.0.2.1\r\n"
        for (open, fields, status) in [
            ([], "", 200), ([], remote, 401), ([.contacts], remote, 401), ([.avatars], remote, 401),
            ([.contacts, .avatars], remote, 200), ([], "Origin: http://evil.example\r\n", 403),
            ([], "Sec-Fetch-Site: cross-site\r\n", 403), ([], "Sec-Fetch-Site: same-origin\r\n", 200),
        ] as [(Set<ServiceArea>, String, Int)] {
            try await RunningService.run(guard: RequestGuard(hosts: HostGuard(), token: nil, open: open)) { service in
                let client = try await service.server.client()
                try await send(Request(ids: ["bob"]), fields: fields, over: client)
                let text = try await client.read { $0.contains("\r\n\r\n") }
                #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(open) \(fields)")
            }
        }
    }
}
