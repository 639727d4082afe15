internal import CLinux
internal import Glibc
package import SystemPackage

/// A program that this one starts, and waits for. Its error output goes to the terminal or the log.
package enum ChildProgram {
    package enum Failure: Error, Equatable {
        case notStarted(Errno)
        /// The output was still open at the end of the time.
        case silent
        /// The output was closed, and the program did not end.
        case running
        case tooLong
        case unreadable(Errno)
        /// The status as of waitpid(2).
        case failed(Int32)
    }

    /// A shell that drops the error output of the program that takes its place.
    private static let quiet = ["/bin/sh", "-c", #"exec "$@" 2>/dev/null"#, "sh"]

    /// What a program prints until it ends well. `words`: its name, looked for in `PATH`, and its arguments. `limit`: then it is
    /// killed. `most`: bytes. `isQuiet`: the error output is dropped. Blocks.
    package static func output(
        of words: [String], within limit: Duration, most: Int, isQuiet: Bool = false
    ) throws(Failure) -> [UInt8] {
        var (output, process) = (Int32(-1), pid_t())
        let copies = ((isQuiet ? quiet : []) + words).map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let deadline = ContinuousClock.now + limit
        let error = clinux_spawn_command(copies + [nil], &output, &process)
        if error != 0 { throw .notStarted(Errno(rawValue: error)) }
        defer { close(output) }
        let bytes: [UInt8]
        let status: Int32
        do throws(Failure) {
            bytes = try read(output, until: deadline, most: most)
            status = try end(of: process, until: deadline)
        } catch {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            throw error
        }
        if status != 0 { throw .failed(status) }
        return bytes
    }

    /// All bytes until the other end of the pipe is closed.
    package static func read(
        _ output: Int32, until deadline: ContinuousClock.Instant, most: Int
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= most {
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
