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
        port = try FreePort.find()
        try Certificate.make(in: folder)
        for (name, bytes) in files { try folder.write(bytes, to: name) }
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key", "server.key", "-WWW", "-quiet",
        ]
        process.currentDirectoryURL = URL(filePath: folder.pathString)
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let end = ContinuousClock.now + .seconds(300)
        while try ShellCommand.run(
            "/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-brief"
        ).status != 0 {
            guard ContinuousClock.now < end, process.isRunning else {
                throw Slapd.Problem(text: "openssl does not answer")
            }
            usleep(20_000)
        }
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
