import Dispatch
import Foundation
import NIOHTTP1
import Synchronization
import SystemPackage
import Testing
import TondoAvatars
import TondoCache
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct StateTests {
    private let people: ServedContacts

    init() async throws { people = try await ServedContacts() }

    @Test func `The service is healthy, and ready once every contact is counted`() async throws {
        try await people.withClient { client in
            #expect(try await client.get("/healthz").status == 200)
            let ready = try await client.get("/readyz")
            #expect(ready.status == 200 && ready.json["contacts"] as? Int == 3)
        }
    }

    @Test func `The avatars of a book have their former key beside them`() async throws {
        try await people.withClient { client in
            let books = try await client.get("/readyz").json["books"] as? [[String: Any]]
            let book = try #require(books?.first)
            let avatars = try #require(book["avatars"] as? Int)
            #expect(book["faces"] as? Int == avatars)
        }
    }

    @Test(arguments: [
        ("/v1/contacts?limit=1", #""total":3"#), ("/v1/contacts/ada", "ada@example.org"), ("/v1/groups", "200"),
        ("/v1/contacts/ada/avatar?size=16", "image/png"), ("/v1/cache/why/ada?size=16", "verdict"),
        ("/avatar/5bfcf2d8e394674550332640d72db509?d=404", "image/png"), ("/v1/contacts/nobody", "contact-not-found"),
    ])
    func `A request before the books are read waits for the response`(_ target: String, _ words: String) async throws {
        try await RunningService.run(isLoading: false) { service in
            async let response = service.get(target)
            #expect(await eventually { !service.addressBooks.state.withLock({ $0.waiting.isEmpty }) })
            service.load()
            let recorded = try await response
            #expect(recorded.head.contains(words) || recorded.body.contains(words))
        }
    }

    @Test func `A service that has no books to read yet is not ready`() async throws {
        try await RunningService.run(isLoading: false) { service in
            let response = try await service.get("/readyz")
            #expect(response.status == 503 && response.field("content-type") == "application/problem+json")
            #expect(response.json["code"] as? String == "loading" && response.json["ready"] as? Bool == false)
            service.addressBooks.serve([], styles: [])
            #expect(try await service.get("/readyz").status == 200)
        }
    }

    @Test func `Health, metrics and lists are answered while searches wait, and one search too many is refused`()
        async throws
    {
        try await people.withClient { client in
            people.service.lists.pauseSearches(true)
            try await RunningServer.run(fastPath: people.service.response, respond: people.service.respond()) {
                server in
                var waiting: [RawClient] = []
                for number in 0..<64 {
                    waiting.append(try await server.client())
                    try await waiting[number].send(
                        "GET /v1/contacts?search=x\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                }
                #expect(await eventually { people.service.lists.searchCounters.queued >= 64 })
                for target in [
                    "/healthz", "/readyz", "/metrics", "/v1/contacts", "/v1/groups", "/v1/jobs", "/v1/cache",
                ] {
                    #expect(try await client.get(target).status == 200, "\(target)")
                }
                let refused = try await client.get("/v1/contacts?search=one%20more")
                #expect(refused.status == 503 && refused.field("retry-after") == "1")
                #expect(refused.json["code"] as? String == "queue-full")
                people.service.lists.pauseSearches(false)
                // Those that have waited for too long by then are refused: on a slow machine all but a few.
                for client in waiting { #expect([200, 503].contains(try await client.response().status)) }
            }
        }
    }

    @Test func `A page is made on the threads of lists, equal ones once, and health waits for none of them`()
        async throws
    {
        let lists = people.service.lists
        lists.pauseLists(true)
        try await RunningServer.run(fastPath: people.service.response, respond: people.service.respond()) { server in
            var waiting: [RawClient] = []
            for _ in 0..<3 {
                let client = try await server.client()
                try await client.send("GET /v1/contacts?limit=3 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                waiting.append(client)
            }
            #expect(await eventually { lists.listCounters.coalesced == 2 })
            #expect(lists.listCounters.queued == 1)
            // Event loops make it: no request that waits in the router is ahead of it.
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/healthz", headers: ["Host": "localhost"])
            #expect(people.service.response(head, from: .loopback)?.status == 200)
            head.method = .HEAD
            #expect(people.service.response(head, from: .loopback)?.status == 200)
            head.headers = ["Host": "evil.example"]
            #expect(people.service.response(head, from: .loopback) == nil)
            lists.pauseLists(false)
            for client in waiting { #expect(try await client.response().status == 200) }
        }
    }

    @Test func `A book that can be read in part is served, and the service is degraded until all of it can be read`()
        async throws
    {
        let recorded = Mutex<[Int]>([])
        people.addressBooks.onUnreadable { _, parts in recorded.withLock { $0.append(parts.count) } }
        let generation = people.addressBooks.state.withLock { $0.generation }
        func take(_ parts: UnreadableParts) { people.addressBooks.handle(.unreadable(parts), of: 0, generation) }
        try await people.withClient { client in
            #expect(try await client.get("/readyz").json["degraded"] == nil)
            for _ in 0..<2 { take(UnreadableParts(count: 5, first: ["private: cannot be read"])) }
            let response = try await client.get("/readyz")
            #expect(
                response.status == 200 && response.json["degraded"] as? Bool == true
                    && response.json["ready"] as? Bool == true)
            #expect((response.json["books"] as? [[String: Any]])?.first?["unreadable"] as? Int == 5)
            #expect(!response.body.contains("private"))
            #expect(try await client.get("/metrics").body.contains("\ntondo_book_parts_unreadable 5\n"))
            take(UnreadableParts())
            #expect(try await client.get("/readyz").json["degraded"] == nil)
        }
        #expect(recorded.withLock { $0 } == [5, 0])
    }

    @Test func `A service whose photos wait while none is finished is neither well nor ready`() async throws {
        let time = Atomic<UInt64>(1)
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.queue.depth) = (1, 1)
        options.queue.now = { time.load(ordering: .relaxed) }
        try await RunningService.run(pipeline: options) { service in
            let (pipeline, gate) = (service.addressBooks.pipeline, DispatchSemaphore(value: 0))
            let styles = pipeline.styles([Style(size: 17)])
            func draw(_ shade: UInt8, then completion: @escaping AvatarPipeline.Completion) {
                let photo = PhotoSource.bytes(PhotoFile(copying: DefaultImage.png(shade)))
                pipeline.avatars(AvatarRequest(photo, styles: styles), completion: completion)
            }
            await withCheckedContinuation { begun in
                draw(1) { _ in
                    begun.resume()
                    gate.wait()
                }
            }
            let (ended, ending) = AsyncStream.makeStream(of: Void.self)
            draw(2) { _ in ending.yield() }
            #expect(try await service.get("/healthz").status == 200)
            time.add(61_000_000_000, ordering: .relaxed)
            for target in ["/healthz", "/readyz"] {
                let response = try await service.get(target)
                #expect(response.status == 503 && response.json["code"] as? String == "drawing-stuck", "\(target)")
            }
            #expect(try await service.get("/metrics").body.contains("tondo_jobs_standstill_seconds 61.0\n"))
            pipeline.pause()
            #expect(try await service.get("/readyz").status == 200)
            pipeline.resume()
            gate.signal()
            for await _ in ended { break }
            #expect(try await service.get("/healthz").status == 200)
        }
    }

    @Test func `Jobs are counted`() async throws {
        try await people.withClient { client in
            let jobs = try await client.get("/v1/jobs").json
            #expect(jobs["done"] as? Int == 1 && jobs["queued"] as? Int == 0)
        }
    }

    @Test func `Metrics are lines that Prometheus reads`() async throws {
        try await people.withClient { client in
            _ = try await client.get("/v1/contacts/ada")
            _ = try await client.get("/v1/contacts/nobody")
            for _ in 0..<2 { _ = try await client.get("/v1/contacts/ada/avatar?size=20") }
            let response = try await client.get("/metrics")
            #expect(response.body.contains("tondo_http_fast_total 1\n"))
            #expect(response.field("content-type") == "text/plain; version=0.0.4; charset=utf-8")
            let lines = response.body.split(separator: "\n")
            #expect(lines.contains(#"tondo_http_requests_total{route="/v1/contacts/{id}",status="200"} 1"#))
            #expect(lines.contains(#"tondo_http_requests_total{route="/v1/contacts/{id}",status="404"} 1"#))
            #expect(lines.contains("tondo_contacts 3"))
            for step in ["decode", "resample", "compose", "encode", "store"] {
                let sample = #"tondo_drawing_step_seconds_count{step="\#(step)"} "#
                let count = lines.first { $0.hasPrefix(sample) }.flatMap { Int($0.dropFirst(sample.count)) }
                #expect((count ?? 0) > 0, "\(step)")
            }
            let samples = lines.filter { !$0.hasPrefix("#") }
            #expect(samples.allSatisfy { Double($0.split(separator: " ").last ?? "") != nil })
        }
    }

    @Test func `A cache folder deleted under the running service is made again`() async throws {
        try await RunningService.run { service in
            let cache = try #require(service.service.cache)
            try FileManager.default.removeItem(atPath: cache.path.string)
            #expect(try await service.get("/v1/contacts/ada/avatar?size=21").status == 200)
            #expect(try await service.get("/v1/cache").json["entries"] as? Int == 1)
            for name in ["CACHEDIR.TAG", "VERSION", "index.sqlite"] {
                #expect(FileManager.default.fileExists(atPath: cache.path.appending(name).string), "\(name)")
            }
        }
    }

    @Test func `The cache reports its contents, and why an entry is missing`() async throws {
        try await people.withClient { client in
            #expect(try await client.get("/v1/cache").json["entries"] as? Int == 1)
            let why = try await client.get("/v1/cache/why/ada?size=20")
            #expect(why.body.hasPrefix(#"[{"verdict":"miss""#))
            let report = try JSONDecoder().decode([ExplanationReport].self, from: Data(why.bytes)).first
            #expect(report?.subject == "ada" && report?.size == 20 && report?.reason == "there is no photo")
            let key = String(repeating: "a", count: 64)
            #expect(try await client.get("/v1/cache/entries/\(key)").status == 404)
            #expect(try await client.get("/v1/cache/entries/..%2F..").status == 400)
        }
    }

    /// By the photo as it is now, whatever the cache had of the contact before.
    @Test func `The cache explains the avatar of a contact with a photo`() async throws {
        let broken = try Data(
            contentsOf: URL(
                fileURLWithPath: Repository.path(
                    "Tests/Fixtures/broken/jpeg-component-ids-alike.jpg")))
        let cards = [
            "ada": Card.card("ada", photo: Card.inline(7)),
            "bo": Card.card("bo", photo: ";ENCODING=b;TYPE=JPEG:" + broken.base64EncodedString()),
            "cy": Card.card("cy", photo: ";VALUE=uri:gone.png"),
        ]
        try await RunningService.run(cards) { service in
            func report(_ id: String) async throws -> ExplanationReport? {
                let response = try await service.get("/v1/cache/why/\(id)?size=16")
                return try JSONDecoder().decode([ExplanationReport].self, from: Data(response.bytes)).first
            }
            let miss = try await report("ada")
            #expect(miss?.verdict == "miss" && miss?.key != nil && miss?.recipe != nil)
            let etag = try await service.get("/v1/contacts/ada/avatar?size=16").field("etag")
            let hit = try await report("ada")
            #expect(hit?.verdict == "hit" && hit?.key == miss?.key && etag == "\"\(hit?.key ?? "")\"")
            _ = try await service.get("/v1/contacts/bo/avatar?size=16")
            let failed = try await report("bo")
            #expect(failed?.verdict == "failed" && failed?.failure?.code == "corrupt" && failed?.failure?.since != nil)
            let unopenable = try await report("cy")
            #expect(unopenable?.verdict == "undrawable" && unopenable?.failure?.stage == "open")
            #expect(unopenable?.failure?.code == "file-read")
        }
    }

    /// Such as those of a file server that does not respond.
    @Test func `Photos that cannot be opened yet hold up no other question about the cache`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let opened = Atomic<Int>(0)
        let isLoaded = Atomic<Bool>(false)
        // More than the threads for short work.
        let count = 6
        var options = AvatarPipeline.Options()
        options.openWorkers = count
        options.system.opening = {
            guard isLoaded.load(ordering: .relaxed) else { return }
            opened.add(1, ordering: .relaxed)
            gate.wait()
        }
        try await RunningService.run(["ada": Card.card("ada", photo: Card.inline(7))], pipeline: options) { service in
            isLoaded.store(true, ordering: .relaxed)
            try await withThrowingTaskGroup(of: String.self) { group in
                for size in 20..<20 + count {
                    group.addTask { try await service.get("/v1/cache/why/ada?size=\(size)").body }
                }
                #expect(await eventually { opened.load(ordering: .relaxed) >= count })
                #expect(try await service.get("/v1/cache").status == 200)
                for _ in 0..<count { gate.signal() }
                for try await body in group { #expect(body.hasPrefix(#"[{"verdict":"miss""#)) }
            }
        }
    }

    @Test func `An explanation is refused once the pipeline has ended`() async throws {
        let pipeline = AvatarPipeline(cache: try AvatarCache(FilePath(people.folder.pathString + "/other")))
        let styles = pipeline.styles([Style(size: 17)])
        #expect(await pipeline.drain(within: .seconds(300)))
        let request = AvatarRequest(.bytes(PhotoFile(copying: DefaultImage.png(1))), styles: styles)
        let result = await withCheckedContinuation { done in
            pipeline.explain(request) { done.resume(returning: $0.map { _ in 0 }) }
        }
        guard case .failure(let failure) = result else { return #expect(Bool(false), "it was accepted") }
        #expect(failure.code == "queue-closed" && failure.isTransient)
    }

    @Test func `No answer names a file`() async throws {
        try await people.withClient { client in
            for target in [
                "/v1/contacts", "/v1/contacts/ada", "/v1/groups", "/v1/cache", "/v1/cache/why/ada", "/v1/jobs",
                "/metrics", "/healthz", "/readyz", "/v1/contacts/nobody", "/nothing",
            ] {
                let response = try await client.get(target)
                #expect(
                    !response.body.contains(people.folder.pathString) && !response.body.contains(".vcf"), "\(target)")
            }
        }
    }
}

extension DefaultImage {
    /// A small picture in one colour.
    fileprivate static func png(_ shade: UInt8) -> [UInt8] {
        PNGEncoder.encode(pixels: [UInt8](repeating: shade, count: 256), width: 8, height: 8)
    }
}
