import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

struct SourceRunTests {
    @Test
    func `a source of another kind under one name inherits no missing cards and no back-off`() throws {
        var trial = try MirrorTrial("http://127.0.0.1/")
        // Makes the folders, and gives the lock back.
        _ = try MirrorFolder(layout: trial.layout)
        var status = MirrorStatus(kind: "carddav", lastRun: 900)
        status.succeed(800)
        status.failed = 1
        status.missing = [.init(card: "/a.vcf", code: "not-found", reason: "the server does not find it")]
        status.failures = 3
        status.fail(.init(code: "server-error", message: "failed"), at: 900, wait: 600)
        try status.write(trial.layout)

        trial.source = SyncSource(name: "work", kind: .ldap, url: "no address")
        let result = trial.run(isManual: false, now: 1_000)
        #expect(!result.isSkipped && result.error != nil)
        let written = try #require(MirrorStatus.read(trial.layout))
        #expect(written.kind == "ldap")
        #expect(written.failed == 0 && written.missing == nil)
        #expect(written.failures == 1 && written.lastSuccess == 800)
    }

    @Test(
        arguments: [
            { $0.url = "http://127.0.0.1:1/other/" }, { $0.certificates = "/nothing.pem" }, { $0.isInsecure = true },
        ] as [@Sendable (inout SyncSource) -> Void])
    func `settings that were corrected do not wait for the back-off of the wrong ones`(
        correct: @Sendable (inout SyncSource) -> Void
    ) throws {
        var trial = try MirrorTrial("http://127.0.0.1:1/")
        #expect(trial.run(isManual: false, now: 1_000).error != nil)
        #expect(trial.run(isManual: false, now: 1_010).isSkipped)
        correct(&trial.source)
        #expect(!trial.run(isManual: false, now: 1_020).isSkipped)
        #expect(MirrorStatus.read(trial.layout)?.failures == 1)
        #expect(trial.run(isManual: false, now: 1_030).isSkipped)
    }
}
