internal import Foundation
internal import Glibc

/// A real `redis-server` on a Unix socket in a temporary folder, without files of its own. It ends with its last owner, and
/// with this process however that ends.
package final class RedisServer: Sendable {
    package struct StartError: Error { package var output: String }

    private struct Running {
        let shell: Process
        let input: Pipe
        let server: pid_t
    }

    private let folder: TemporaryFolder
    private let options: [String]
    private let running = Locked<Running?>(nil)

    /// The path of the socket, the same after a restart.
    package var socket: String { folder.pathString + "/redis.sock" }

    /// `options`: further ones of `redis-server`, such as `--maxmemory-policy allkeys-lru`. Returns when it accepts
    /// connections.
    package init(_ options: String...) throws {
        (folder, self.options) = (try TemporaryFolder(), options)
        try start()
    }

    /// The only node of a Redis Cluster: it has all slots, and refuses commands with keys of several ones.
    package static func clusterNode() throws -> RedisServer {
        // Its bus needs a port of its own, even though nothing else listens to the network.
        let node = try RedisServer("--cluster-enabled", "yes", "--cluster-port", "\(freePort())")
        try node.cli("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        guard node.wait(for: { (try? node.cli("CLUSTER", "INFO"))?.contains("cluster_state:ok") == true }) else {
            throw StartError(output: "the node of a cluster has no slots")
        }
        return node
    }

    private static func freePort() -> UInt16 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, size)
                _ = getsockname(descriptor, $0, &size)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    deinit { stop() }

    /// Starts it, empty, unless it runs.
    package func start() throws {
        guard running.withLock({ $0 == nil }) else { return }
        let (shell, input, output) = (Process(), Pipe(), Pipe())
        shell.executableURL = URL(filePath: "/bin/sh")
        // The shell ends the server when its standard input ends: with `stop`, or with this process.
        shell.arguments =
            ["-c", #"redis-server "$@" >&2 & echo $!; read _; kill -KILL $!; wait"#, "redis"] + words
        (shell.standardInput, shell.standardOutput, shell.standardError) = (input, output, FileHandle.nullDevice)
        try shell.run()
        let line = output.fileHandleForReading.availableData
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let server = pid_t(text) else { throw StartError(output: text) }
        running.withLock { $0 = Running(shell: shell, input: input, server: server) }
        guard wait(for: { accepts }) else { throw StartError(output: "no connection to \(socket)") }
    }

    private var words: [String] {
        [
            "--port", "0", "--unixsocket", socket, "--unixsocketperm", "700", "--save", "", "--appendonly", "no",
            "--dir", folder.pathString, "--daemonize", "no",
        ] + options
    }

    /// Kills it.
    package func stop() {
        let now = running.withLock { state in
            defer { state = nil }
            return state
        }
        guard let now else { return }
        try? now.input.fileHandleForWriting.close()
        // Not by the end of its input alone: a program that was started at the same moment may have inherited the other end.
        for process in [now.server, now.shell.processIdentifier] { kill(process, SIGKILL) }
        now.shell.waitUntilExit()
        _ = wait { Self.hasEnded(now.server) }
    }

    /// Also before its new parent has taken notice, which may be seconds later.
    private static func hasEnded(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0, let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        else { return true }
        // The name of the program, in parentheses, comes before the state. Its other threads may end later.
        guard state.split(separator: ")").last?.hasPrefix(" Z") ?? true else { return false }
        return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count < 2) ?? true
    }

    package func signal(_ signal: Int32) { running.withLock { if let now = $0 { kill(now.server, signal) } } }

    /// SIGSTOP: it accepts connections, and answers nothing.
    package func pause() { signal(SIGSTOP) }

    package func resume() { signal(SIGCONT) }

    /// Runs `redis-cli`; returns its output without the last line end.
    @discardableResult
    package func cli(_ words: String...) throws -> String { try run(words) }

    /// How often it ran a command, since it was started.
    package func calls(of command: String) throws -> Int {
        let start = "cmdstat_\(command):calls="
        let line = try cli("INFO", "commandstats").split(whereSeparator: \.isNewline).first { $0.hasPrefix(start) }
        return line.flatMap { Int($0.dropFirst(start.count).prefix { $0.isNumber }) } ?? 0
    }

    /// The same.
    @discardableResult
    package func run(_ words: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/redis-cli")
        process.arguments = ["-s", socket] + words
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private var accepts: Bool {
        (try? cli("PING"))?.contains("PONG") == true || (try? cli("PING"))?.contains("NOAUTH") == true
    }

    private func wait(for condition: () -> Bool) -> Bool {
        for _ in 0..<400 {
            if condition() { return true }
            usleep(25_000)
        }
        return false
    }
}
