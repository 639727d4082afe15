import Foundation
import Testing
import TondoFleet
import TondoImage
import TondoRedis
import TondoTestSupport

@testable import tondo

/// `tondo jobs` and `tondo load --enqueue`, with a real Redis.
@Suite(.timeLimit(.minutes(15))) struct JobsCommandTests {
    private let server: RedisServer
    private let stream: JobStream
    private let folder: TemporaryFolder

    init() throws {
        (server, folder) = (try RedisServer(), try TemporaryFolder())
        var options = JobStream.Options()
        options.time = .seconds(20)
        stream = JobStream(RedisConnection(to: RedisAddress("unix:\(server.socket)")!), options: options)
    }

    private func jobs(_ words: String...) throws -> Outcome {
        try RunningTondo(["jobs"] + words + ["--shared-streams", "unix:\(server.socket)"], in: folder).finish()
    }

    /// Publishes jobs, and lets the first ones die. Returns the ids of the dead ones.
    private func publish(_ count: Int, dead: Int) throws -> [String] {
        _ = try stream.publish(
            (0..<count).map {
                DrawJob(
                    run: "", number: $0, contact: "c\($0)", digest: String(repeating: "0", count: 64),
                    source: .file("/photos/\($0).jpg"), styles: [Style(size: 16)])
            }, as: .init("test-\(UInt64.random(in: .min ... .max))", number: 0))
        let taken = try stream.read(dead, as: "one", waiting: nil)
        try stream.finish(
            taken.map {
                .init(
                    delivery: $0, end: .deadLetter,
                    result: JobResult(number: 0, code: "decoder-crashed", message: "it crashed"))
            },
            as: "one")
        return try stream.dead(100).map(\.id)
    }

    @Test func `ls counts the jobs and lists the dead ones with their reason`() throws {
        let dead = try publish(3, dead: 2)
        let text = try jobs("ls")
        #expect(text.status == 0)
        #expect(text.lines.first == "1 waiting, 0 pending, 2 dead; workers: 1, claims: 0")
        #expect(text.lines.contains { $0.contains(dead[0]) && $0.contains("c0") && $0.contains("it crashed") })
        let json = try jobs("ls", "--json").json()
        #expect(json.map { $0["event"] as? String } == ["counts", "job", "job"])
        #expect(json[0]["dead"] as? Int == 2 && json[1]["state"] as? String == "dead")
        #expect(json.dropFirst().map { $0["id"] as? String } == dead)
        #expect(json[1]["code"] as? String == "decoder-crashed" && json[1]["contact"] as? String == "c0")
        #expect(try jobs("ls", "--limit", "1").error.contains("--limit lists more"))
    }

    @Test func `retry publishes a dead job again, and drop deletes one`() throws {
        let dead = try publish(2, dead: 2)
        let retried = try jobs("retry", dead[0])
        #expect(retried.status == 0 && retried.text == "1 job retried\n")
        #expect(try stream.length() == 1 && stream.dead(10).map(\.id) == [dead[1]])
        let dropped = try jobs("drop", dead[1], "--json")
        #expect(dropped.status == 0 && dropped.text == #"{"action":"dropped","jobs":1,"missing":[]}"# + "\n")
        #expect(try stream.length() == 1 && stream.dead(10).isEmpty)
    }

    @Test func `--all means all dead jobs`() throws {
        _ = try publish(5, dead: 4)
        #expect(try jobs("retry", "--all").text == "4 jobs retried\n")
        #expect(try stream.length() == 5 && stream.dead(10).isEmpty)
    }

    @Test(arguments: ["retry", "drop"]) func `An unknown id is named, and ends with 1`(_ verb: String) throws {
        let dead = try publish(1, dead: 1)
        let end = try jobs(verb, "1-1", dead[0])
        #expect(end.status == 1 && end.error.contains("1-1: no such job"))
        #expect(end.text.hasPrefix("1 job "), "The other one is done")
        #expect(try jobs(verb, "x").status == 64)
        #expect(try jobs(verb).status == 64)
    }

    @Test func `A full queue takes no dead job back, and says so`() throws {
        let dead = try publish(1, dead: 1)
        try server.cli("CONFIG", "SET", "maxmemory", "1")
        let end = try jobs("retry", dead[0])
        #expect(end.status == 69 && end.error.contains(server.socket), "\(end.error)")
        try server.cli("CONFIG", "SET", "maxmemory", "0")
        #expect(try stream.dead(10).map(\.id) == dead)
    }

    @Test(arguments: [["jobs", "ls"], ["worker", "."], ["load", "book", "--enqueue", "--no-follow"]])
    func `Without a queue, or with one that would lose jobs, the commands end with 78`(_ words: [String]) throws {
        let book = try LoadedBook()
        try book.add("ada", photo: LoadedBook.photo(0))
        let none = try RunningTondo(
            words + ["--config", "/dev/null"].filter { _ in words[0] != "load" }, in: book.folder
        )
        .finish()
        #expect(none.status == 78 && none.error.contains("no work queue"), "\(none.error)")
        for (name, value) in [("maxmemory", "100mb"), ("maxmemory-policy", "allkeys-lru")] {
            try server.cli("CONFIG", "SET", name, value)
        }
        let evicting = try RunningTondo(words + ["--shared-streams", "unix:\(server.socket)"], in: book.folder).finish()
        #expect(evicting.status == 78 && evicting.error.contains("maxmemory-policy"), "\(evicting.error)")
    }

    @Test func `Ctrl-C ends a load that waits for a Redis that is away, with 130`() throws {
        let (book, avatars) = (try LoadedBook(), try RedisServer())
        try book.add("ada", photo: LoadedBook.photo(0))
        let running = try book.start(
            [
                "--enqueue", "--follow", "--json", "--config", "/dev/null", "--shared-streams",
                "unix:\(server.socket)", "--shared-avatars", "unix:\(avatars.socket)",
            ])
        while try stream.length() == 0 { usleep(10_000) }
        server.stop()
        try running.wait(forError: "tried again")
        running.signal(SIGINT)
        #expect(try running.finish().status == 130)
    }

    @Test func `A Redis that is away ends jobs with 69 and its address`() throws {
        server.stop()
        let end = try jobs("ls")
        #expect(
            end.status == 69 && end.error.contains("unix:\(server.socket): ") && end.error.contains("no connection"))
    }

    @Test func `load --enqueue --no-follow publishes the book and ends; --no-wait ends when the queue is full`() throws
    {
        // The photos are in the cards, and reach workers through the Redis of the avatars.
        let (book, avatars) = (try LoadedBook(), try RedisServer())
        for number in 0..<3 { try book.add("c\(number)", photo: LoadedBook.photo(number)) }
        let words = [
            "load", "book", "--enqueue", "--no-follow", "--initials", "off", "--size", "16", "--cache-dir", "cache",
            "--shared-streams", "unix:\(server.socket)", "--shared-avatars", "unix:\(avatars.socket)",
        ]
        let published = try RunningTondo(words, in: book.folder).finish()
        #expect(
            published.status == 0 && published.text.contains("3 jobs published"), "\(published.text) \(published.error)"
        )
        #expect(try stream.length() == 3)
        try server.cli("CONFIG", "SET", "maxmemory", "1")
        let full = try RunningTondo(words + ["--no-wait"], in: book.folder).finish()
        #expect(full.status == 69 && full.error.contains("full"), "\(full.status) \(full.error)")
    }
}
