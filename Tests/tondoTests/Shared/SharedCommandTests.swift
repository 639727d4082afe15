import Foundation
import Glibc
import Testing
import TondoAvatars
import TondoFleet
import TondoServer
import TondoTestSupport

@testable import TondoConfiguration
@testable import tondo

@Suite struct SharedCommandTests {
    private func settings(_ server: RedisServer, _ more: String = "") -> Data {
        Data("[shared]\navatars = \"unix:\(server.socket)\"\n\(more)".utf8)
    }

    @Test func `What one load has drawn the next takes, with another cache`() throws {
        let (server, book) = (try RedisServer(), try LoadedBook())
        for number in 0..<3 { try book.add("c\(number)", photo: LoadedBook.photo(number)) }
        let first = try book.load("--shared-avatars", "unix:\(server.socket)")
        #expect(first.status == 0)
        #expect(try server.cli("--scan", "--pattern", "tondo:1:avatar:*").split(separator: "\n").count == 3)
        let words = ["--size", "16", "--cache-dir", "other", "--shared-avatars", "unix:\(server.socket)"]
        let second = try RunningTondo(
            ["load", "book", "--initials", "off", "--json"] + words, in: book.folder
        ).finish()
        let end = try #require(try second.json().last { $0["event"] as? String == "finished" })
        #expect(end["cached"] as? Int == 3 && end["rendered"] as? Int == 0)
        #expect(try book.entries(in: "other") == book.entries())
    }

    @Test func `cache why says what is in the shared tier`() throws {
        let (server, folder) = (try RedisServer(), try TemporaryFolder())
        try folder.write(LoadedBook.photo(1), to: "ada.jpg")
        let shared = ["--shared-avatars", "unix:\(server.socket)"]
        #expect(
            try RunningTondo(["convert", "ada.jpg", "--cache-dir", "one"] + shared, in: folder).finish().status == 0)
        #expect(try Tondo.run("load", "ada.jpg", "--cache-dir", "two", in: folder).status != 0)
        let why = ["cache", "why", "ada.jpg", "--cache-dir", "two"]
        let text = try RunningTondo(why + shared, in: folder).finish()
        #expect(text.status == 0 && text.text.hasPrefix("ada.jpg, 96@1x normal: in the shared tier\n"))
        let report = try RunningTondo(why + shared + ["--json"], in: folder).finish().reports(ExplanationReport.self)
        #expect(report.map(\.verdict) == ["shared"] && report[0].reason == "in the shared tier")
        #expect(try RunningTondo(why, in: folder).finish().status == 1, "Without Redis it is a miss")
    }

    @Test func `config check tests the connection, the commands and the policy`() throws {
        let server = try RedisServer("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
        let folder = try TemporaryFolder()
        func check(_ more: String = "") throws -> Outcome {
            try folder.write(settings(server, more), to: "tondo.toml")
            return try Tondo.run("config", "check", "--config", "tondo.toml", in: folder)
        }
        #expect(try check().status == 0)
        let both = try check("streams = \"unix:\(server.socket)\"")
        #expect(both.status == 78 && both.error.contains("tondo.toml:2: shared.avatars: its maxmemory-policy"))
        try server.cli("ACL", "SETUSER", "default", "-getex")
        #expect(try check().error.contains("may not run GETEX: the ACL needs ~tondo:1:*"))
        let streams = try RedisServer()
        try streams.cli("ACL", "SETUSER", "default", "-xautoclaim")
        let forbidden = try check("streams = \"unix:\(streams.socket)\"")
        #expect(
            forbidden.error.contains("tondo.toml:3: shared.streams: its user may not run XAUTOCLAIM: the ACL needs"))
        server.stop()
        let away = try check()
        #expect(away.status == 78 && away.error.contains("it does not serve: no connection"))
    }

    @Test func `A Redis that is down at the start does not stop the service, and is used once it is there`() throws {
        let (server, served) = (try RedisServer(), try ServedBook())
        server.stop()
        try served.folder.write(settings(server), to: "tondo.toml")
        let running = try served.serve(["book", "--config", "tondo.toml", "--initials", "off"])
        try server.start()
        let client = try ServiceClient(address: served.socket)
        var shared = try readiness(client).shared
        #expect(shared != nil)
        // What could not be stored before is not shared; a new contact's avatar is.
        for number in 10..<60 where shared?.stored == 0 {
            try served.book.add("c\(number)", photo: LoadedBook.photo(number))
            usleep(100_000)
            shared = try readiness(client).shared
        }
        #expect(shared.map { $0.stored > 0 && $0.breaker == "closed" } == true)
        #expect(try client.get("/metrics").body.text.contains("tondo_shared_breaker{state=\"closed\"} 1"))
        let status = try Tondo.run("status", "--socket", "s.sock", in: served.folder)
        #expect(status.status == 0 && status.text.contains("shared     in use, "))
        server.stop()
        for number in 100..<200 where shared?.breaker == "closed" {
            try served.book.add("c\(number)", photo: LoadedBook.photo(number))
            usleep(100_000)
            shared = try readiness(client).shared
        }
        let without = try Tondo.run("status", "--socket", "s.sock", in: served.folder)
        #expect(without.status == 0 && without.text.contains("shared     not in use after errors, "), "\(without.text)")
        running.signal(SIGTERM)
        let end = try running.finish()
        #expect(end.status == 0 && end.error.contains("avatars are drawn without it"))
    }

    @Test func `The lengths of the work queue are in status, readiness and metrics, and the documented rules suffice`()
        throws
    {
        let (server, served) = (try RedisServer(), try ServedBook())
        let rules = StreamAccess.rules.split(separator: " ").map(String.init)
        try server.run(["ACL", "SETUSER", "tondo", "reset", "on", ">secret"] + rules)
        try served.folder.write(Data("secret\n".utf8), to: "password")
        chmod(served.folder.pathString + "/password", 0o600)
        let settings =
            "[shared]\nstreams = \"unix:\(server.socket)\"\nuser = \"tondo\"\npassword-file = \"\(served.folder.pathString)/password\"\n"
        try served.folder.write(Data(settings.utf8), to: "tondo.toml")
        for _ in 0..<3 { try server.cli("XADD", "tondo:1:{jobs}:work", "*", "k", "v") }
        try server.cli("XGROUP", "CREATE", "tondo:1:{jobs}:work", "workers", "0")
        try server.cli("XREADGROUP", "GROUP", "workers", "w", "COUNT", "1", "STREAMS", "tondo:1:{jobs}:work", ">")
        try server.cli("XADD", "tondo:1:{jobs}:dead", "*", "k", "v")
        try server.cli("SET", "tondo:1:{jobs}:claims", "7")
        let running = try served.serve(["book", "--config", "tondo.toml", "--initials", "off"])
        let client = try ServiceClient(address: served.socket)
        let counts = try readiness(client).queue?.counts
        #expect(counts == .init(waiting: 2, pending: 1, dead: 1, workers: 1, claims: 7))
        let metrics = try client.get("/metrics").body.text
        for line in [
            "tondo_queue_jobs{state=\"waiting\"} 2", "tondo_queue_jobs{state=\"pending\"} 1",
            "tondo_queue_jobs{state=\"dead\"} 1", "tondo_queue_workers 1", "tondo_queue_claims_total 7",
            "tondo_queue_breaker{state=\"closed\"} 1",
        ] { #expect(metrics.contains(line + "\n"), "\(line)") }
        let status = try Tondo.run("status", "--socket", "s.sock", in: served.folder)
        #expect(status.text.contains("queue      2 waiting, 1 pending, 1 dead; workers: 1, claims: 7\n"))
        // The events of its book are published, too.
        let stream = "XLEN"
        let log = try server.cli("--scan", "--pattern", "tondo:1:{events:*}:log")
        #expect(Int(try server.cli(stream, log)).map { $0 > 0 } == true)
        #expect(try server.cli("ACL", "LOG") == "", "Nothing was refused")
        server.stop()
        let away = try readiness(client)
        #expect(away.ready && away.queue != nil && away.queue?.counts == nil)
        #expect(!(try client.get("/metrics").body.text.contains("tondo_queue_jobs")))
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    private func readiness(_ client: ServiceClient) throws -> ReadinessReport {
        let response = try client.get("/readyz")
        #expect(response.status == 200)
        return try JSONDecoder().decode(ReadinessReport.self, from: Data(response.body))
    }

    @Test func `A Redis that evicts streams ends the start with the value to set`() throws {
        let server = try RedisServer("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
        let served = try ServedBook()
        try served.folder.write(settings(server, "streams = \"unix:\(server.socket)\""), to: "tondo.toml")
        let end = try served.start(["book", "--config", "tondo.toml"]).finish()
        #expect(end.status == 78 && end.error.contains("set maxmemory-policy volatile-lru"))
    }

    @Test func `Without a Redis the service has no connection to one`() throws {
        let served = try ServedBook()
        let running = try served.serve(["book", "--config", "/dev/null", "--initials", "off"])
        let client = try ServiceClient(address: served.socket)
        let state = try readiness(client)
        #expect(state.shared == nil && state.queue == nil)
        #expect(!(try client.get("/metrics").body.text.contains("tondo_shared")))
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    @Test func `A wrong address is wrong usage before anything is opened`() throws {
        let folder = try TemporaryFolder()
        try folder.write(LoadedBook.photo(1), to: "ada.jpg")
        let words = ["convert", "ada.jpg", "--cache-dir", "c", "--shared-avatars", "redis://h"]
        let end = try RunningTondo(words, in: folder).finish()
        #expect(end.status == 78 && end.error.contains("shared.avatars must be unix:/PATH"))
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
