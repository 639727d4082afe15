import Foundation
import SystemPackage
import TondoRedis

/// A Redis on a Unix socket in a folder of its own; both go with this.
final class BenchServer {
    let folder: FilePath
    private let process = Process()

    var address: RedisAddress { RedisAddress(.unix(folder.appending("redis.sock").string)) }

    init() throws {
        folder = FilePath(NSTemporaryDirectory()).appending("tondo-shared-bench-\(getpid())")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        process.executableURL = URL(filePath: "/usr/bin/redis-server")
        process.arguments = [
            "--port", "0", "--unixsocket", folder.appending("redis.sock").string, "--save", "", "--appendonly", "no",
            "--dir", folder.string,
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let connection = RedisConnection(to: address)
        for _ in 0..<400 {
            if (try? connection.call(RedisCommand("PING"), by: .now + .seconds(1))) != nil { return }
            usleep(25_000)
        }
        throw CocoaError(.fileNoSuchFile)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder.string)
    }
}
