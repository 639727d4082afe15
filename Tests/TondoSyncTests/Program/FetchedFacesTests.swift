import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// The JSON of messengers, where photos are URLs: after they were fetched, each command shows all faces.
@Suite(.blocking) struct FetchedFacesTests {
    private static let people = 17
    private static let withURL = 10
    private let folder: TemporaryFolder

    /// Fetches from a server on loopback, which the program itself refuses.
    init() throws {
        folder = try TemporaryFolder()
        let photo = [UInt8](try Repository.data(Repository.small))
        let server = try ScriptedServer { _ in
            var reply = ScriptedServer.Reply(200)
            reply.body = photo
            return reply
        }
        let contacts = (0..<Self.people).map { number in
            let url = number < Self.withURL ? "\(server.url)/\(number).jpg" : ""
            return """
                {"firstname": "Ada", "lastname": "L\(number)", "phone_number": "8916000000\(number)", "photo_url": "\(url)",
                 "email": "ada\(number)@example.org", "messenger": {"telegram": true}}
                """
        }
        try folder.write("{\"contacts\": [\(contacts.joined(separator: ","))]}", to: "people.json")
        try folder.write(
            """
            books = ["\(folder.pathString)/people.json"]
            sync-dir = "\(folder.pathString)/mirrors"
            cache-dir = "\(folder.pathString)/cache"
            listen = ["127.0.0.1:0"]

            [sync.photos]
            hosts = ["127.0.0.1:\(server.port)"]
            """, to: "tondo.toml")
        var options = SourceRun.Options()
        (options.photos.policy, options.photos.permitsPlain) = (.loopback, true)
        options.photos.timeout = .seconds(60)
        options.books = [folder.pathString + "/people.json"]
        var source = SyncSource(name: "photos", kind: .photos, url: "")
        source.hosts = ["127.0.0.1:\(server.port)"]
        let result = SourceRun(source: source, in: folder.path.appending("mirrors"), options: options).run()
        #expect(result.error == nil && result.status.added == Self.withURL)
    }

    private func process(_ words: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("tondo"))
        process.arguments = words
        process.environment = ["HOME": folder.pathString, "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        return process
    }

    private func run(_ words: String...) throws -> String {
        let (process, output) = (try process(words), Pipe())
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        return text
    }

    @Test
    func `load shows them`() throws {
        let text = try run(
            "load", folder.pathString + "/people.json", "--json", "--size", "16", "--cache-dir",
            folder.pathString + "/cache", "--sync-dir", folder.pathString + "/mirrors")
        #expect(text.matches(of: /"event":"avatar",/).count == Self.people)
        #expect(text.matches(of: /"kind":"photo"/).count == Self.withURL, "\(text)")
        #expect(!text.contains("avatarFailed"))
    }

    @Test
    func `convert draws them`() throws {
        let text = try run(
            "convert", folder.pathString + "/people.json", "--json", "--size", "16", "-o", folder.pathString + "/out",
            "--sync-dir", folder.pathString + "/mirrors")
        #expect(try folder.names(in: "out").count == Self.people, "\(text)")
        #expect(!text.contains("remoteNotAllowed"))
    }

    @Test
    func `addresses of Gravatar lead to them`() throws {
        let service = try process(["serve", "--json", "--config", folder.pathString + "/tondo.toml"])
        let path = folder.pathString + "/serve.out"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        service.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        service.standardError = FileHandle.nullDevice
        try service.run()
        defer {
            service.terminate()
            service.waitUntilExit()
        }
        let end = ContinuousClock.now + .seconds(300)
        var address: String?
        while address == nil, ContinuousClock.now < end {
            let text = String(decoding: try folder.bytes("serve.out"), as: UTF8.self)
            address = text.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/).map { String($0.0) }
            usleep(20_000)
        }
        let start = try #require(address)
        for (number, status) in [(0, "200"), (Self.withURL - 1, "200"), (Self.withURL, "404")] {
            let hash = try ShellCommand.run(
                "/bin/sh", "-c", "printf %s ada\(number)@example.org | md5sum | cut -c1-32"
            ).output.prefix(32)
            let found = try ShellCommand.run(
                "/usr/bin/curl", "-s", "--retry", "5", "-o", "/dev/null", "-w", "%{http_code}",
                "\(start)/avatar/\(hash)?d=404")
            #expect(found.output == status, "person \(number)")
        }
    }
}
