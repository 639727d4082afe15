import Foundation
import Synchronization
import Testing
import TondoAvatars
import TondoTestSupport

@testable import TondoServer

/// A book that is lost while it is served, as clients and operators see it.
@Suite(.timeLimit(.minutes(10))) struct LostBookServiceTests {
    private static var pipeline: AvatarPipeline.Options {
        var options = AvatarPipeline.Options()
        options.system.bookChecks = .milliseconds(20)
        return options
    }

    private struct Books {
        let service: RunningService
        let reports = Reports()

        final class Reports: Sendable {
            let texts = Mutex<[String]>([])
        }

        init(_ service: RunningService) {
            self.service = service
            service.addressBooks.onLost { [reports] path, error in
                reports.texts.withLock { $0.append(error.map { "lost: \($0)" } ?? "found: \(path)") }
            }
        }

        func move(_ from: String, _ to: String) throws {
            try FileManager.default.moveItem(atPath: from, toPath: to)
        }

        /// Returns once the service says so by itself.
        func waitUntil(degraded: Bool) async throws {
            #expect(
                try await eventually {
                    (try await service.get("/readyz").json["degraded"] as? Bool ?? false) == degraded
                })
        }

        func metric(_ name: String) async throws -> String? {
            try await service.get("/metrics").body.split(separator: "\n").first { $0.hasPrefix(name + " ") }.map {
                String($0.dropFirst(name.count + 1))
            }
        }
    }

    @Test func `A lost book is served as it was, and everything says that it is lost, until it is back`() async throws {
        try await RunningService.run(pipeline: Self.pipeline, styles: [AvatarStyle(size: 16)]) { service in
            let books = Books(service)
            let (avatar, hash) = (
                "/v1/contacts/ada/avatar?size=20", "/avatar/5bfcf2d8e394674550332640d72db509?d=404&s=16"
            )
            let before = try await service.get("/v1/contacts").ids
            let images = [try await service.get(avatar).bytes, try await service.get(hash).bytes]
            let last = service.service.broadcaster.last
            try books.move(service.bookPath, service.bookPath + ".away")
            try await books.waitUntil(degraded: true)
            let ready = try await service.get("/readyz")
            #expect(ready.status == 200 && ready.json["ready"] as? Bool == true && ready.json["contacts"] as? Int == 3)
            let book = (ready.json["books"] as? [[String: Any]])?.first
            #expect(book?["problem"] as? String == "book-unreadable" && book?["people"] as? Int == 3)
            #expect((book?["detail"] as? String)?.hasPrefix("cannot be read: ") == true)
            #expect(!ready.body.contains("/book"))
            let health = try await service.get("/healthz")
            #expect(health.status == 200 && health.json["degraded"] as? Bool == true)
            #expect(try await books.metric("tondo_books_unreadable") == "1")
            #expect(try await service.get("/v1/contacts").ids == before)
            // Also what is not in memory any more.
            service.service.responseCache.forget(.allContacts)
            #expect(try await service.get(avatar).bytes == images[0])
            service.service.responseCache.forget(.allContacts)
            #expect(try await service.get(hash).bytes == images[1])
            try books.move(service.bookPath + ".away", service.bookPath)
            try await books.waitUntil(degraded: false)
            #expect(try await service.get("/healthz").json["degraded"] == nil)
            #expect(try await books.metric("tondo_books_unreadable") == "0")
            let texts = books.reports.texts.withLock { $0 }
            #expect(texts.count == 2 && texts[0].hasPrefix("lost: \(service.bookPath): cannot be read: "), "\(texts)")
            #expect(texts.last == "found: \(service.bookPath)")
            service.service.broadcaster.send("marker", data: "{}")
            let events = await service.received(after: last) { $0.contains("event: marker") }
            #expect(!events.contains("contactRemoved") && !events.contains("contactChanged"))
        }
    }

    @Test func `A lost book stays served through a reload, and changes are served once it is back`() async throws {
        try await RunningService.run(pipeline: Self.pipeline) { service in
            let books = Books(service)
            try books.move(service.bookPath, service.bookPath + ".away")
            try await books.waitUntil(degraded: true)
            let last = service.service.broadcaster.last
            service.load()
            await service.addressBooks.waitUntilCounted()
            let progress = service.addressBooks.progress.first
            #expect(progress?.problem == "book-unreadable" && progress?.people == 3 && progress?.total == 3)
            #expect(try await service.get("/v1/contacts").ids == ["ada", "bob", "eve"])
            try FileManager.default.removeItem(atPath: service.bookPath + ".away/eve.vcf")
            try Card.card("dee").write(
                toFile: service.bookPath + ".away/dee.vcf", atomically: true, encoding: .utf8)
            try books.move(service.bookPath + ".away", service.bookPath)
            try await books.waitUntil(degraded: false)
            _ = await service.received(after: last) { $0.contains("event: contactRemoved") }
            #expect(try await service.get("/v1/contacts").ids == ["ada", "bob", "dee"])
            #expect(service.addressBooks.progress.first?.people == 3)
        }
    }

    @Test func `A book that is taken out of the configuration goes, also while it is lost`() async throws {
        try await RunningService.run(pipeline: Self.pipeline) { service in
            let books = Books(service)
            try books.move(service.bookPath, service.bookPath + ".away")
            try await books.waitUntil(degraded: true)
            service.addressBooks.serve([], styles: [])
            #expect(try await service.get("/v1/contacts").ids.isEmpty)
            #expect(try await service.get("/readyz").json["degraded"] == nil)
        }
    }

    @Test func `A broken card counts until it is repaired`() async throws {
        let people = ["ada": Card.card("ada"), "bad": "BEGIN:VCARD\r\nFN:Bad\r\n"]
        try await RunningService.run(people, pipeline: Self.pipeline) { service in
            #expect(service.addressBooks.progress.first?.failed == 1)
            try await service.replace("bad", with: Card.card("bad")) { $0.contains(#""id":"bad""#) }
            #expect(await eventually { service.addressBooks.progress.first?.failed == 0 })
            #expect(service.addressBooks.progress.first?.total == 2, "the contact is counted once")
            try await service.replace("bad", with: "BEGIN:VCARD\r\nFN:Bad\r\n") { $0.contains("contactRemoved") }
            #expect(await eventually { service.addressBooks.progress.first?.failed == 1 })
            #expect(service.addressBooks.progress.first?.total == 2)
        }
    }

    @Test func `A file that cannot be read is no contact of the total, and those in it are once it can`() async throws {
        try await RunningService.run(["ada": Card.card("ada")], pipeline: Self.pipeline) { service in
            let file = service.bookPath + "/more.vcf"
            try "no card".write(toFile: file, atomically: true, encoding: .utf8)
            #expect(await eventually { service.addressBooks.progress.first?.failed == 1 })
            #expect(service.addressBooks.progress.first?.total == 1)
            let people = Card.card("bo") + Card.card("cy")
            try people.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(await eventually { service.addressBooks.progress.first?.failed == 0 })
            #expect(service.addressBooks.progress.first?.total == 3)
        }
    }
}
