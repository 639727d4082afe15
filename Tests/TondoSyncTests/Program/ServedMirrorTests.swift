import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import TondoSync

/// From a CardDAV server to the event stream of a browser: `tondo sync` and `tondo serve` with one configuration.
@Suite(.blocking) struct ServedMirrorTests {
    private let folder: TemporaryFolder
    private let book: FakeAddressBook

    init() throws {
        (folder, book) = (try TemporaryFolder(), try FakeAddressBook())
        try folder.write(
            """
            sync-dir = "\(folder.pathString)/mirrors"
            cache-dir = "\(folder.pathString)/cache"
            listen = ["127.0.0.1:0"]

            [sync.work]
            url = "\(book.url)"
            """, to: "tondo.toml")
    }

    private static func card(_ photo: String) throws -> String {
        let photo = try Repository.data(photo).base64EncodedString()
        return "BEGIN:VCARD\nVERSION:3.0\nUID:ada\nFN:Ada\nPHOTO;ENCODING=b;TYPE=JPEG:\(photo)\nEND:VCARD\n"
    }

    private func run(_ words: String...) throws -> (status: Int32, text: String) {
        let (process, output) = (try start(words), Pipe())
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    private func start(_ words: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("tondo"))
        process.arguments = words + ["--config", folder.pathString + "/tondo.toml"]
        process.environment = ["HOME": folder.pathString, "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// The contents of a file, once they hold `text`; what is there after a minute otherwise.
    private func wait(for text: String, in name: String) throws -> String {
        let end = ContinuousClock.now + .seconds(300)
        while true {
            let found = folder.exists(name) ? String(decoding: try folder.bytes(name), as: UTF8.self) : ""
            if found.contains(text) || ContinuousClock.now > end { return found }
            usleep(20_000)
        }
    }

    private func output(to name: String) throws -> FileHandle {
        let path = folder.pathString + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    @Test
    func `a photo that changes on the server reaches the event stream`() throws {
        book.put("ada.vcf", try Self.card(Repository.small))
        // The service starts before there is a mirror.
        let service = try start(["serve", "--json"])
        (service.standardOutput, service.standardError) = (try output(to: "serve.out"), try output(to: "serve.log"))
        try service.run()
        defer {
            service.terminate()
            service.waitUntilExit()
        }
        let listening = try wait(for: "}", in: "serve.out")
        let log = try wait(for: "mirror-new", in: "serve.log")
        #expect(log.contains("mirror work has not been synchronised yet"), "\(log)")
        let address = try #require(
            listening.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/).map { String($0.0) }, "\(listening)")
        let curl = Process()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        curl.arguments = ["-sN", address + "/v1/events"]
        curl.standardOutput = try output(to: "events")
        try curl.run()
        // It inherits that SIGTERM is ignored where other tests try signals.
        defer { kill(curl.processIdentifier, SIGKILL) }

        let first = try run("sync")
        #expect(first.status == 0 && first.text.contains("1 added"), "\(first.text)")
        #expect(try wait(for: #""event":"avatar""#, in: "events").contains(#""contact":"ada""#))
        let before = try folder.bytes("events").count

        book.put("ada.vcf", try Self.card(Repository.sample))
        #expect(try run("sync", "work").status == 0)
        let end = ContinuousClock.now + .seconds(300)
        var after = ""
        while !after.contains(#""event":"avatar""#), ContinuousClock.now < end {
            after = String(decoding: try folder.bytes("events").dropFirst(before), as: UTF8.self)
            usleep(20_000)
        }
        #expect(after.contains("contactChanged") && after.contains(#""event":"avatar""#), "\(after)")

        let ready = try ShellCommand.run("/usr/bin/curl", "-s", address + "/readyz").output
        #expect(ready.contains(#""mirrors":[{"name":"work","kind":"carddav","age":"#), "\(ready)")
        #expect(!ready.contains(folder.pathString))
        let metrics = try ShellCommand.run("/usr/bin/curl", "-s", address + "/metrics").output
        #expect(metrics.contains(#"tondo_mirror_age_seconds{mirror="work"}"#))
    }

    @Test
    func `status reports each mirror, and add writes what it found`() throws {
        book.put("ada.vcf")
        #expect(try run("sync", "status").status == 1)
        #expect(try run("sync").status == 0)
        let status = try run("sync", "status", "--json")
        #expect(status.status == 0 && status.text.contains(#""name":"work""#), "\(status.text)")
        let added = try run("sync", "add", "home", book.url)
        #expect(added.status == 0, "\(added.text)")
        #expect(try run("sync", "home").status == 0)
        #expect(try run("sync", "add", "home", book.url).status == 64)
        #expect(try run("sync", "hoem").text.contains("did you mean 'home'"))
    }
}
