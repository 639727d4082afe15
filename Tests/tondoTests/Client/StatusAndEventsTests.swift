import Foundation
import Testing

@testable import tondo

@Suite struct StatusAndEventsTests {
    private static let ready = [
        "/readyz": CannedService.json(#"{"status":"ready","people":9}"#),
        "/v1/jobs": CannedService.json(#"{"queued":3,"running":2,"run":{"p50":1}}"#),
        "/v1/cache": CannedService.json(#"{"entries":18}"#),
    ]

    @Test func `A service that is ready is told, to people and to scripts`() throws {
        let service = try CannedService(Self.ready)
        let people = try Tondo.run("status", "--socket", "canned.sock", in: service.folder)
        #expect(people.status == 0)
        #expect(
            people.text == """
                service   unix:canned.sock
                ready     yes
                books     people 9, status ready
                jobs      queued 3, running 2
                cache     entries 18

                """)
        let scripts = try Tondo.run("status", "--socket", "canned.sock", "--json", in: service.folder)
        let object = try #require(try scripts.json().first)
        #expect(object["ready"] as? Bool == true)
        #expect((object["jobs"] as? [String: Any])?["queued"] as? Int == 3)
    }

    @Test func `One that is not ready yet ends it with 1`() throws {
        var answers = Self.ready
        answers["/readyz"] = CannedService.json(#"{"code":"loading"}"#, status: "503 Service Unavailable")
        let service = try CannedService(answers)
        let outcome = try Tondo.run("status", "--url", "unix:canned.sock", in: service.folder)
        #expect(outcome.status == 1)
        #expect(outcome.lines.contains("ready     no"))
    }

    @Test(arguments: [["status"], ["events"]])
    func `No service there is a clear error and 69`(words: [String]) throws {
        let folder = try TemporaryFolder()
        for (place, name) in [("unix:none.sock", "unix:none.sock"), ("http://127.0.0.1:1", "http://127.0.0.1:1/")] {
            let outcome = try RunningTondo(words + ["--url", place], in: folder).finish()
            #expect(outcome.status == 69)
            #expect(outcome.error == "tondo: \(name): no service listens there\n")
        }
    }

    @Test func `Events are told line by line until the service ends them`() throws {
        let service = try CannedService([
            "/v1/events": CannedService.chunked([
                ":\n\n", "id: 1\nevent: total\ndata: {\"event\":\"total\",\"seq\":1}\n\n", "id: 1\nevent: reset\n",
                "data: {}\n\n",
            ])
        ])
        let outcome = try Tondo.run("events", "--socket", "canned.sock", in: service.folder)
        #expect(outcome.status == 0)
        #expect(outcome.lines == [#"{"event":"total","seq":1}"#, #"{"event":"reset"}"#])
    }

    @Test func `The settings say where the service is`() throws {
        let service = try CannedService(Self.ready)
        try service.folder.write(Data("socket = \"canned.sock\"\n".utf8), to: "tondo.toml")
        #expect(try Tondo.run("status", "--config", "tondo.toml", in: service.folder).status == 0)
    }

    @Test func `Both a socket and an address are wrong usage`() throws {
        let folder = try TemporaryFolder()
        #expect(try Tondo.run("status", "--socket", "a", "--url", "unix:b", in: folder).status == 64)
    }
}
