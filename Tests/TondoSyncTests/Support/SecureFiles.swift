import Foundation
import TondoTestSupport

/// Files over https on loopback, by openssl(1), with a certificate of its own.
final class SecureFiles {
    private let folder: TemporaryFolder
    private let process = Process()
    private let port: Int

    var url: String { "https://127.0.0.1:\(port)" }
    var certificate: String { folder.pathString + "/server.pem" }

    init(_ files: [String: [UInt8]]) throws {
        folder = try TemporaryFolder()
        try Certificate.make(in: folder)
        for (name, bytes) in files { try folder.write(bytes, to: name) }
        let output = try folder.write("", to: "output")
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        // A port of its own choice: another test may take one that was free a moment ago.
        process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-WWW"]
        process.currentDirectoryURL = URL(filePath: folder.pathString)
        (process.standardInput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        try process.run()
        let end = ContinuousClock.now + .seconds(300)
        var accepts: Int?
        while accepts == nil {
            guard ContinuousClock.now < end, process.isRunning else {
                throw Slapd.Problem(text: "openssl does not listen")
            }
            usleep(20_000)
            accepts = try Self.port(in: String(decoding: folder.bytes("output"), as: UTF8.self))
        }
        port = accepts ?? 0
    }

    /// The port in the line that it prints once it listens.
    private static func port(in output: String) -> Int? {
        output.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)\n/).flatMap { Int($0.1) }
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
