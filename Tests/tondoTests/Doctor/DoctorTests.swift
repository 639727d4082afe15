import Foundation
import Testing
import TondoConfiguration
import TondoTestSupport

@testable import tondo

/// `tondo doctor`, and its checks one by one.
@Suite struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func configuration(_ text: String) throws -> ServiceConfiguration {
        try folder.write(text, to: "tondo.toml")
        let file = folder.pathString + "/tondo.toml"
        return ConfigurationSource(file: file, environment: ["HOME": folder.pathString]).read().configuration
    }

    /// The only finding of a check.
    private func finding(
        _ text: String, _ check: (inout DoctorReport, ServiceConfiguration) -> Void
    ) throws -> Finding {
        var report = DoctorReport()
        check(&report, try configuration(text))
        #expect(report.findings.count == 1, "\(report.findings)")
        return try #require(report.findings.first)
    }

    /// `tondo doctor`, with a systemd of its own.
    private func run(_ text: String, _ words: String..., units: String = "") throws -> Outcome {
        let listen = "listen = [\"127.0.0.1:0\"]\n"
        try folder.write(listen + text, to: "tondo.toml")
        try folder.write("#!/bin/sh\ncat <<'END'\n\(units)\nEND\n", to: "bin/systemctl", mode: 0o700)
        let shell = #"PATH=$PWD/bin:$PATH HOME=$PWD exec "$@""#
        return try RunningTondo(["doctor", "--config", "tondo.toml"] + words, in: folder, shell: shell).finish()
    }

    @Test func `Without a problem it ends with 0, and says what it did not check`() throws {
        try folder.write(SmallBook.ada, to: "book.vcf")
        let outcome = try run("books = [\"~/book.vcf\"]\n", "--json")
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.error)")
        let report = try #require(try outcome.reports(DoctorReport.self).first)
        #expect(report.problems == 0)
        let levels = Dictionary(report.findings.map { ($0.check, $0.level) }) { first, _ in first }
        for check in ["configuration", "books", "cache", "token", "addresses"] {
            #expect(levels[check] == .ok, "\(check)")
        }
        for check in ["units", "redis", "sync"] { #expect(levels[check] == .skipped, "\(check)") }
        #expect(report.findings.allSatisfy { !$0.text.contains("\n") && ($0.level != .problem || $0.advice != nil) })
    }

    @Test func `A problem ends it with 1, and what to do stands below it`() throws {
        let outcome = try run("books = [\"~/lost\"]\n")
        #expect(outcome.status == 1)
        let lines = outcome.lines
        let line = try #require(lines.firstIndex { $0.hasPrefix("problem  books ") && $0.contains("/lost: ") })
        #expect(lines[line + 1].hasPrefix(" ") && lines[line + 1].contains("-> "))
        #expect(lines.last?.hasPrefix("1 problem, ") == true, "\(outcome.text)")
    }

    @Test func `JSON and text end with one status`() throws {
        #expect(try run("books = [\"~/lost\"]\n", "--json").status == 1)
    }

    @Test func `It changes nothing`() throws {
        try folder.write(SmallBook.ada, to: "book.vcf")
        _ = try run("books = [\"~/book.vcf\"]\n")
        #expect(try folder.files() == ["bin/systemctl", "book.vcf", "tondo.toml"])
    }

    @Test func `A wrong value of the configuration is a problem`() throws {
        let outcome = try run("jobs = \"many\"\n")
        #expect(outcome.status == 1 && outcome.text.contains("problem  configuration"), "\(outcome.text)")
    }

    @Test func `A program that does not start is a problem, and what needs it is not checked`() throws {
        try folder.write("#!/bin/sh\nexit 1\n", to: "render", mode: 0o700)
        try folder.write("listen = [\"127.0.0.1:0\"]\n", to: "tondo.toml")
        let words = ["doctor", "--config", "tondo.toml"]
        let outcome = try RunningTondo(words, in: folder, shell: #"TONDO_RENDER=$PWD/render exec "$@""#).finish()
        #expect(outcome.status == 1 && outcome.text.contains("problem  sandbox"), "\(outcome.text)")
        #expect(outcome.text.contains("not checked: no confined process can be started"))
    }

    @Test func `A unit that failed is a problem, and one that is not installed is left out`() throws {
        let units = """
            Id=tondo.socket
            LoadState=loaded
            ActiveState=failed
            UnitFileState=enabled

            Id=tondo-sync.timer
            LoadState=not-found
            ActiveState=inactive
            UnitFileState=
            """
        let outcome = try run("", units: units)
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("tondo.socket of the user: failed, enabled"), "\(outcome.text)")
        #expect(outcome.text.contains("-> journalctl --user -u tondo.socket") && !outcome.text.contains("tondo-sync"))
    }

    @Test func `A folder that is no cache is a problem`() throws {
        try folder.write("x", to: "photos/a.jpg")
        let found = try finding("cache-dir = \"~/photos\"\n") { _ = $0.checkCache($1) }
        #expect(found.level == .problem && found.advice?.contains("cache-dir") == true)
    }

    @Test func `A token that others can read is a problem`() throws {
        try folder.write(String(repeating: "x", count: 40), to: "token", mode: 0o644)
        let found = try finding("token-file = \"~/token\"\n") { _ = $0.checkToken($1) }
        #expect(found.level == .problem && found.advice?.hasPrefix("chmod 600 ") == true)
    }

    @Test func `An address where Tondo listens is fine`() throws {
        let ready = CannedService.json(#"{"ready":true,"contacts":9,"books":[]}"#)
        let service = try CannedService(["/readyz": ready])
        let found = try finding("listen = []\nsocket = \"\(service.folder.pathString)/canned.sock\"\n") {
            $0.checkAddresses($1)
        }
        #expect(found.level == .ok && found.text.hasSuffix("Tondo listens there: ready, 9 contacts"), "\(found)")
    }

    @Test func `An address where another program listens is a problem`() throws {
        let service = try CannedService([:])
        let found = try finding("listen = []\nsocket = \"\(service.folder.pathString)/canned.sock\"\n") {
            $0.checkAddresses($1)
        }
        #expect(found.level == .problem && found.text.hasSuffix("another program listens there"), "\(found)")
    }

    @Test func `A socket in a folder that is not there is a problem`() throws {
        let found = try finding("listen = []\nsocket = \"\(folder.pathString)/none/tondo.sock\"\n") {
            $0.checkAddresses($1)
        }
        #expect(found.level == .problem && found.advice != nil)
    }

    @Test func `The last run of a source is shown`() throws {
        let now = Date(timeIntervalSince1970: 1_000_000)
        let source = "sync-dir = \"~/sync\"\n[sync.office]\nurl = \"https://dav.example.org/\"\n"
        func check(_ members: String) throws -> Finding {
            let counts = #""contacts":9,"added":0,"changed":0,"removed":0,"requests":0,"milliseconds":1"#
            let run = #"{"kind":"carddav","lastRun":999940,"failures":0,\#(counts),\#(members)}"#
            try folder.write(run, to: "sync/office/status.json")
            var report = DoctorReport()
            report.checkSync(try configuration(source), now: now)
            return try #require(report.findings.last)
        }
        let fine = try check(#""lastSuccess":999940,"withheld":0,"failed":0"#)
        #expect(fine.level == .ok && fine.text == "office: 9 contacts, synchronised 1 minute ago")
        let error = #""error":{"code":"tls-failed","message":"no certificate"}"#
        let failed = try check(#""lastSuccess":999940,"withheld":0,"failed":0,\#(error)"#)
        #expect(failed.level == .problem && failed.text.hasSuffix("the last run failed: no certificate"))
        #expect(failed.advice == "tondo sync office")
        #expect(try check(#""lastSuccess":999940,"withheld":12,"failed":0"#).advice?.contains("--allow-delete") == true)
        #expect(try check(#""lastSuccess":100000,"withheld":0,"failed":0"#).level == .warning)
    }

    @Test func `A source that was never synchronised is a warning`() throws {
        var report = DoctorReport()
        report.checkSync(try configuration("sync-dir = \"~/sync\"\n[sync.a]\nurl = \"https://h/\"\n"), now: Date())
        #expect(report.findings.last?.level == .warning && report.findings.last?.advice == "tondo sync a")
    }

    @Test(.enabled(if: Unprivileged.isPossible, "no way to run as a user whom permissions stop"))
    func `A book that the user may not read is a problem`() throws {
        try folder.write(SmallBook.ada, to: "book.vcf", mode: 0)
        try folder.write("listen = [\"127.0.0.1:0\"]\nbooks = [\"book.vcf\"]\n", to: "tondo.toml", mode: 0o644)
        let words = ["doctor", "--config", "tondo.toml"]
        let outcome = try RunningTondo(words, in: folder, shell: Unprivileged.shell).finish()
        #expect(outcome.status == 1 && outcome.text.contains("book.vcf: Permission denied"), "\(outcome.text)")
    }
}
