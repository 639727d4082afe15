import Foundation
import Testing
import TondoAvatars

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct EventsTests {
    private static func names(_ stream: String) -> [String] {
        stream.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    @Test func `A stream has the total, then all contacts, then the end`() async throws {
        try await RunningService.run(isLoading: false) { service in
            let client = try await service.server.client()
            try await client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await client.read { $0.contains("text/event-stream") && $0.contains("\r\n\r\n") }
            service.load()
            let names = Self.names(try await client.read { $0.contains("event: finished") })
            #expect(names.prefix(2) == ["hello", "total"] && names.count { $0 == "contact" } == 3)
            #expect(names.last == "finished")
        }
    }

    @Test func `A client that reconnects gets the events since`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1\r\n\r\n")
            let stream = try await client.read { $0.contains("event: finished") }
            #expect(stream.contains("id: 2\n") && !stream.contains("event: total"))
        }
    }

    @Test func `A client that reconnects from another run gets a reset`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 99999\r\n\r\n")
            _ = try await client.read { $0.contains("event: reset") }
        }
    }

    /// The bytes of a stream behind the head of its response.
    private static func stream(
        _ service: RunningService, query: String = "", fields: String = "", until name: String
    ) async throws -> String {
        let client = try await service.server.client()
        try await client.send("GET /v1/events\(query) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        return try await client.read { $0.contains("event: \(name)\n") && $0.hasSuffix("\n\n\r\n") }
    }

    @Test func `A stream begins with the time to reconnect, and with its place and the revision`() async throws {
        var options = AvatarService.Options()
        options.version = "1.2.3"
        try await RunningService.run(options: options) { service in
            let (last, revision) = (service.service.broadcaster.last, service.addressBooks.revision)
            let stream = try await Self.stream(service, until: "hello")
            let hello = #"{"event":"hello","seq":\#(last),"revision":"\#(revision)","version":"1.2.3"}"#
            #expect(stream.contains("\r\nretry: 2000\n\nid: \(last)\nevent: hello\ndata: \(hello)\n\n"))
            let page = try await service.get("/v1/contacts")
            #expect(page.json["revision"] as? String == revision)
        }
    }

    @Test func `A replay begins where the client was, so that one that leaves within it misses nothing`() async throws {
        try await RunningService.run { service in
            let stream = try await Self.stream(service, query: "?after=1", until: "finished")
            #expect(Self.names(stream).prefix(2) == ["hello", "contact"])
            #expect(stream.contains("id: 1\nevent: hello\ndata: {\"event\":\"hello\",\"seq\":1,"))
            #expect(stream.contains("id: 2\nevent: contact\n"))
        }
    }

    @Test func `The header goes before the query, and a query that is no number is refused`() async throws {
        try await RunningService.run { service in
            let last = service.service.broadcaster.last
            let stream = try await Self.stream(
                service, query: "?after=0", fields: "Last-Event-ID: \(last - 1)\r\n", until: "finished")
            #expect(Self.names(stream) == ["hello", "finished"])
            #expect(
                Self.names(try await Self.stream(service, query: "?after=99999", until: "reset")) == ["hello", "reset"])
            for query in ["after=x", "after=", "after=-1"] {
                let response = try await service.get("/v1/events?\(query)")
                #expect(response.status == 400 && response.json["code"] as? String == "bad-parameter")
            }
        }
    }

    @Test func `Changes have their position in the list, and the number of contacts after them`() async throws {
        let people = Dictionary(uniqueKeysWithValues: ["ada", "cy", "eve"].map { ($0, Card.card($0)) })
        try await RunningService.run(people) { service in
            var client = try await service.get("/v1/contacts").ids
            let start = service.service.broadcaster.last
            try await service.replace("bo", with: Card.card("bo")) { $0.contains(#""id":"bo""#) }
            try await service.remove("ada")
            try await service.replace("dora", with: Card.card("dora")) { $0.contains(#""id":"dora""#) }
            let stream = await service.received(after: start) { $0.contains(#""id":"dora""#) }
            let events = stream.split(separator: "\n").filter { $0.hasPrefix("data: {") }.compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.dropFirst(6).utf8)) as? [String: Any]
            }
            for event in events {
                guard let position = event["position"] as? Int else { continue }
                if let contact = event["contact"] as? [String: Any], let id = contact["id"] as? String {
                    client.removeAll { $0 == id }
                    client.insert(id, at: position)
                } else {
                    #expect(client.remove(at: position) == event["id"] as? String)
                }
                #expect(event["total"] as? Int == client.count && event["revision"] is String)
            }
            let page = try await service.get("/v1/contacts")
            #expect(client == page.ids && client == ["bo", "cy", "dora", "eve"])
            #expect(events.last?["revision"] as? String == page.json["revision"] as? String)
        }
    }

    @Test
    func `A client that applies the events of a reload has the list, with a new first contact and without a last one`()
        async throws
    {
        let people = Dictionary(uniqueKeysWithValues: ["bo", "cy", "dee"].map { ($0, Card.card($0)) })
        try await RunningService.run(people) { service in
            var client = try await service.get("/v1/contacts").ids
            service.addressBooks.stop()
            let start = service.service.broadcaster.last
            // Unnoticed, as while the service reads other books.
            try Card.card("ada").write(toFile: service.bookPath + "/ada.vcf", atomically: true, encoding: .utf8)
            try FileManager.default.removeItem(atPath: service.bookPath + "/dee.vcf")
            service.load()
            let stream = await service.received(after: start) { $0.contains("event: finished") }
            for event in Self.objects(in: stream) {
                guard let position = event["position"] as? Int else { continue }
                if let id = (event["contact"] as? [String: Any])?["id"] as? String {
                    client.removeAll { $0 == id }
                    client.insert(id, at: position)
                } else {
                    #expect(client.remove(at: position) == event["id"] as? String)
                }
                #expect(event["total"] as? Int == client.count)
            }
            #expect(client == ["ada", "bo", "cy"])
            #expect(try await service.get("/v1/contacts").ids == client)
        }
    }

    private static func objects(in stream: String) -> [[String: Any]] {
        stream.split(separator: "\n").filter { $0.hasPrefix("data: {") }.compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.dropFirst(6).utf8)) as? [String: Any]
        }
    }

    @Test func `Contacts that are read have the number of those before them`() async throws {
        try await RunningService.run { service in
            let stream = await service.received { $0.contains("event: finished") }
            for number in 1...3 {
                #expect(stream.contains(#""index":\#(number - 1),"#))
                #expect(stream.contains(#""position":\#(number - 1),"total":\#(number),"#))
            }
        }
    }

    @Test func `No event says where the book is`() async throws {
        let photo = Card.card("ada", photo: ";VALUE=uri:missing.jpg")
        try await RunningService.run(["ada": photo, "bad": "BEGIN:VCARD"], styles: [AvatarStyle(size: 16)]) { service in
            let recorded = await service.received { $0.contains("event: finished") }
            #expect(recorded.contains("event: avatarFailed") && recorded.contains("event: avatar\n"))
            #expect(!recorded.contains("tondo-server") && !recorded.contains("file:"), "\(recorded)")
        }
    }
}
