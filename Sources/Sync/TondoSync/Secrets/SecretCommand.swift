internal import CLinux
internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// A program that prints a secret, such as `pass show dav`. Its error output goes to the terminal or the log.
enum SecretCommand {
    /// Why a program that was started gave no secret.
    enum Failure: Error, Equatable {
        /// The output was still open at the end of the time.
        case silent
        /// The output was closed, and the program did not end.
        case running
        case tooLong
        case unreadable(Errno)

        /// The end of a sentence that begins with the program.
        func reason(within limit: Duration) -> String {
            switch self {
            case .silent: "did not print a password within \(limit.components.seconds) s"
            case .running: "closed its output and did not end within \(limit.components.seconds) s"
            case .tooLong: "printed more than 64 kB"
            case .unreadable(let error): "has an output that cannot be read: \(error.reason)"
            }
        }
    }

    /// `limit`: the time to print the secret and to end; then the program is killed.
    static func run(_ words: [String], within limit: Duration = .seconds(60)) throws(SecretError) -> Secret {
        let name = words[0]
        var (output, process) = (Int32(-1), pid_t())
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let deadline = ContinuousClock.now + limit
        let error = clinux_spawn_command(copies + [nil], &output, &process)
        if error != 0 { throw .command(name, reason: "cannot be started: \(Errno(rawValue: error).reason)") }
        defer { close(output) }
        let bytes: [UInt8]
        let status: Int32
        do throws(Failure) {
            bytes = try read(output, until: deadline)
            status = try end(of: process, until: deadline)
        } catch {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            throw .command(name, reason: error.reason(within: limit))
        }
        if status != 0 { throw .command(name, reason: "failed") }
        guard let secret = Secret(SecretReader.firstLine(bytes[...])) else {
            throw .malformed(origin: "the output of '\(name)'")
        }
        return secret
    }

    /// All bytes until the other end of the pipe is closed.
    static func read(_ output: Int32, until deadline: ContinuousClock.Instant) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= SecretReader.largest {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let rest = (deadline - .now) / .milliseconds(1)
            if rest <= 0 { throw .silent }
            _ = poll(&waiting, 1, Int32(rest.rounded(.up)))
            let count = Glibc.read(output, &piece, piece.count)
            let error = errno
            if count == 0 { return bytes }
            if count > 0 { bytes += piece[..<count] }
            if count < 0, error != EAGAIN, error != EINTR { throw .unreadable(Errno(rawValue: error)) }
        }
        throw .tooLong
    }

    /// The exit status as of waitpid(2), which has no limit of time. Most programs end as they close their output, so the first
    /// pauses are short.
    private static func end(
        of process: pid_t, until deadline: ContinuousClock.Instant
    ) throws(Failure) -> Int32 {
        var status: Int32 = 0
        var pause: useconds_t = 100
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process || ended < 0 && errno != EINTR { return status }
            if ContinuousClock.now >= deadline { throw .running }
            usleep(pause)
            pause = min(pause * 2, 16_000)
        }
    }
}
