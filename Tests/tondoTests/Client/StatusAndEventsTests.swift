import Foundation
import Glibc
import Testing
import TondoCache
import TondoJobs
import TondoServer
import TondoTestSupport
import TondoText

@testable import tondo

@Suite struct StatusAndEventsTests {
    private static let ready = [
        "/readyz": readiness("", #""people":9,"avatars":18,"faces":18,"failed":0,"loaded":true"#),
        "/v1/jobs": json(JobsReport(counters: jobs)),
        "/v1/cache": json(CacheReport(cache)),
    ]

    private static var jobs: JobCounters {
        var counters = JobCounters()
        (counters.queued, counters.running) = (3, 2)
        return counters
    }

    private static var cache: Statistics {
        var statistics = Statistics()
        (statistics.entries, statistics.failures) = (18, ["truncated": 2, "corrupt": 1])
        return statistics
    }

    private static func json(_ report: some Encodable) -> String {
        CannedService.json((try? JSONReport.encode(report)).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    private static func readiness(_ state: String, _ book: String) -> String {
        CannedService.json(#"{"ready":true,\#(state)"contacts":9,"books":[{"book":1,\#(book)}]}"#)
    }

    @Test func `A ready service is shown to humans and to scripts`() throws {
        let service = try CannedService(Self.ready)
        let people = try Tondo.run("status", "--socket", "canned.sock", in: service.folder)
        #expect(people.status == 0)
        #expect(
            people.text == """
                service    unix:canned.sock
                ready      yes
                contacts   9
                books      book 1, contacts 9, avatars 18, failed 0, loaded yes
                jobs       queued 3, running 2
                cache      entries 18, failures 3

                """)
        let scripts = try Tondo.run("status", "--socket", "canned.sock", "--json", in: service.folder)
        let report = try #require(try scripts.reports(StatusReport.self).first)
        #expect(report.ready && !report.degraded && report.contacts == 9 && report.books?.first?.avatars == 18)
        #expect(report.jobs == JobsReport(counters: Self.jobs) && report.cache == CacheReport(Self.cache))
    }

    @Test func `A report that this version does not understand is left out`() throws {
        var responses = Self.ready
        responses["/v1/jobs"] = CannedService.json(#"{"waiting":3}"#)
        let service = try CannedService(responses)
        let outcome = try Tondo.run("status", "--socket", "canned.sock", in: service.folder)
        #expect(outcome.status == 0)
        #expect(outcome.value("jobs") == nil && outcome.value("cache") == "entries 18, failures 3")
    }

    @Test func `One whose books can be read in part is ready, and says so`() throws {
        var responses = Self.ready
        responses["/readyz"] = Self.readiness(
            #""degraded":true,"#,
            #""total":9,"people":7,"avatars":0,"faces":0,"failed":0,"loaded":false,"unreadable":2"#)
        let service = try CannedService(responses)
        let outcome = try Tondo.run("status", "--socket", "canned.sock", in: service.folder)
        #expect(outcome.status == 0)
        #expect(outcome.value("ready") == "yes, but parts of its books are unreadable")
        #expect(
            outcome.value("books") == "book 1, contacts 7 of 9, avatars 0, failed 0, loaded no, unreadable 2")
    }

    @Test func `A book that is lost is shown with the reason`() throws {
        var responses = Self.ready
        responses["/readyz"] = Self.readiness(
            #""degraded":true,"#,
            #""total":9,"people":9,"avatars":9,"faces":9,"failed":0,"loaded":true,"problem":"book-unreadable","detail":"#
                + #""cannot be read: not there""#)
        let service = try CannedService(responses)
        let outcome = try Tondo.run("status", "--socket", "canned.sock", in: service.folder)
        #expect(outcome.status == 0 && outcome.value("ready") == "yes, but parts of its books are unreadable")
        #expect(outcome.value("books")?.hasSuffix("problem book-unreadable (cannot be read: not there)") == true)
        let report = try Tondo.run("status", "--socket", "canned.sock", "--json", in: service.folder)
        #expect(try report.reports(StatusReport.self).first?.books?.first?.detail == "cannot be read: not there")
    }

    @Test func `One that is not ready yet ends it with 1`() throws {
        var responses = Self.ready
        responses["/readyz"] = CannedService.json(#"{"code":"loading"}"#, status: "503 Service Unavailable")
        let service = try CannedService(responses)
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
            #expect(outcome.error == "tondo: \(name): no service listens at this address\n")
        }
    }

    @Test func `Events are printed line by line until the service ends them`() throws {
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

    @Test func `A running service shows its state and its events until it ends`() throws {
        let served = try ServedBook()
        let running = try served.serve()
        try served.manager.wait(for: "STATUS=2 contacts, 4 avatars")
        let status = try Tondo.run("status", "--socket", "s.sock", "--json", in: served.folder)
        #expect(status.status == 0)
        let object = try #require(try status.json().first)
        #expect(object["contacts"] as? Int == 2)
        #expect((object["jobs"] as? [String: Any])?["done"] as? Int == 2)
        #expect((object["cache"] as? [String: Any])?["entries"] as? Int == 4)
        let events = try RunningTondo(["events", "--socket", "s.sock", "--after", "0"], in: served.folder)
        try events.wait(forOutput: #""event":"finished""#)
        try served.book.add("cy")
        try events.wait(forOutput: #"{"event":"contactChanged""#)
        running.signal(SIGTERM)
        let outcome = try events.finish()
        #expect(outcome.status == 0)
        #expect(outcome.lines[0].hasPrefix(#"{"event":"total","seq":"#))
        #expect(try running.finish().status == 0)
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
