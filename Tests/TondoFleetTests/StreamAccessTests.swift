import Foundation
import Testing
import TondoAvatars
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

@Suite(.blocking) struct StreamAccessTests {
    private let fleet: TestFleet
    private static let commands = StreamAccess.rules.split(separator: " ").filter { $0.hasPrefix("+") }.map {
        String($0.dropFirst())
    }

    init() throws { fleet = try TestFleet() }

    /// As the documentation says.
    private func add(_ user: String, _ rules: String, without command: String? = nil) throws {
        var rules = rules.split(separator: " ").map(String.init)
        if let command { rules.removeAll { $0 == "+" + command } }
        #expect(try fleet.server.run(["ACL", "SETUSER", user, "reset", "on", ">secret"] + rules) == "OK")
    }

    private func check(_ user: String) -> SharedCheck {
        SharedCheck(
            pool: RedisPool(address: fleet.address(user)), roles: [.streams], probes: StreamAccess.probes,
            rules: StreamAccess.rules,
            within: .seconds(300))
    }

    @Test func `The documented rules are those of the program`() throws {
        let document = String(decoding: try Repository.data("docs/scaling.md"), as: UTF8.self)
        #expect(document.contains("ACL SETUSER tondo reset on >PASSWORD \(StreamAccess.rules)"))
        #expect(document.contains("ACL SETUSER tondo reset on >PASSWORD \(SharedTier.accessRules)\n"))
    }

    @Test func `The documented commands suffice to publish, work, and inspect`() throws {
        try add("tondo", StreamAccess.rules)
        #expect(check("tondo").problems.isEmpty)
        let stream = fleet.stream(user: "tondo")
        let paths = try fleet.photos(5)
        let ids = try stream.publish(paths.enumerated().map { TestFleet.job($0.element, number: $0.offset) })
        #expect(try stream.missing(ids).isEmpty)
        // A lost worker, and one that hands a job back.
        #expect(try stream.read(2, as: "lost", waiting: nil).count == 2)
        let failing = try fleet.photos(1)[0]
        _ = try stream.publish([TestFleet.job(failing + ".none", number: 5, run: "")])
        let worker = fleet.worker("one", try fleet.pipeline("cache"), claimAfter: .milliseconds(50), user: "tondo")
        #expect(try TestFleet.wait { try stream.counts().jobs == 0 })
        #expect(worker.stop())
        #expect(try stream.results(of: "run", count: 10).count == 5)
        let counts = try stream.counts()
        // The lost jobs once each, and the one without a photo twice.
        #expect(counts.claims == 4 && counts.dead == 1)
        let dead = try stream.dead(10)[0]
        #expect(try stream.retry(dead.id))
        let delivery = try stream.read(1, as: "two", waiting: .milliseconds(1))[0]
        try stream.renew([delivery.id], as: "two")
        try stream.handBack(delivery, as: "two")
        #expect(try stream.pending(10).count == 1)
        #expect(try stream.drop(delivery.id))
        try stream.leave("two")
        try stream.forget("run")
        #expect(WorkQueueGauge(address: fleet.address("tondo"), time: .seconds(300)).report.counts?.claims == 4)
        #expect(try fleet.server.cli("ACL", "LOG") == "", "Nothing was refused")
    }

    @Test func `One Redis for both roles needs what the documentation says besides`() throws {
        let both = {
            SharedCheck(
                pool: RedisPool(address: fleet.address("both")), roles: [.cache, .streams],
                probes: SharedTier.probes + StreamAccess.probes,
                within: .seconds(300))
        }
        try add("both", StreamAccess.rules)
        guard case .forbidden(["GETEX"], _)? = both().problems.first else {
            Issue.record("\(both().problems)")
            return
        }
        let documented = String(decoding: try Repository.data("docs/scaling.md"), as: UTF8.self)
        let further = "+getex"
        #expect(documented.contains("`\(further)`"))
        try add("both", StreamAccess.rules + " " + further)
        #expect(both().problems.isEmpty && both().warnings.allSatisfy { $0.contains("maxmemory") })
    }

    @Test func `The rules of the avatars suffice for photos on their way`() throws {
        try add("avatars", SharedTier.accessRules)
        let blobs = PhotoBlobs(connection: RedisConnection(to: fleet.address("avatars")), time: .seconds(300))
        let key = try blobs.store([1, 2, 3], name: "ab")
        #expect(try blobs.bytes(key) == [1, 2, 3])
        try blobs.remove(key)
        #expect(try blobs.bytes(key) == nil)
    }

    @Test func `Each missing command is named`() throws {
        for command in Self.commands {
            try add("tondo", StreamAccess.rules, without: command)
            let problems = check("tondo").problems
            guard case .forbidden(let names, _) = problems.first else {
                Issue.record("\(command): \(problems)")
                continue
            }
            #expect(names == [command.uppercased()])
            #expect(problems[0].description.contains(StreamAccess.rules))
        }
    }

    @Test(arguments: ["eval", "xreadgroup", "xgroup"])
    func `What is refused at work names the command`(_ command: String) throws {
        try add("tondo", StreamAccess.rules, without: command)
        let stream = fleet.stream(user: "tondo")
        let error = #expect(throws: JobStreamError.self) {
            _ = try stream.publish([TestFleet.job("/p")])
            _ = try stream.read(1, as: "one", waiting: nil)
        }
        #expect(error.map { "\($0)".contains("'\(command)") } == true, "\(String(describing: error))")
    }
}
