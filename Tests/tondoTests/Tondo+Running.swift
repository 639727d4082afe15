import Foundation
import Glibc
import Synchronization
import TondoTestSupport

@testable import tondo

/// What a finished run of the built program left behind.
struct Outcome {
    /// As a shell reports it: 128 and more for a signal.
    var status: Int32
    var output: Data
    var error: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// One report a line of standard output.
    func reports<Report: Decodable>(_ type: Report.Type) throws -> [Report] {
        try lines.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    /// One dictionary a line of standard output.
    func json() throws -> [[String: Any]] {
        try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
    }
}

extension Tondo {
    /// Runs `tondo WORDS...` in `folder` to its end; its input is empty unless given.
    static func run(
        _ words: String..., in folder: TemporaryFolder, input: Data = Data(), shell: String? = nil
    ) throws -> Outcome {
        let running = try RunningTondo(words, in: folder, shell: shell)
        running.send(input)
        running.closeInput()
        return try running.finish()
    }
}

/// A started `tondo`. All waiting is for something it does, with one deadline for the whole run.
final class RunningTondo {
    enum Stopped: Error {
        case deadline(output: String, error: String)
        /// It ended before what was waited for had come.
        case ended(output: String, error: String)
    }

    private struct Stream {
        var descriptor: Int32
        var data = Data()
        var isOpen = true
    }

    private let process: SpawnedProcess
    private let deadline: ContinuousClock.Instant
    private var input: Int32
    private var pending = Data()
    private var isClosing = false
    private var output: Stream
    private var error: Stream
    private var status: Int32?

    /// `shell`: a script that gets the program and its words as "$@". `terminal`: columns of a terminal that is given
    /// as standard error.
    init(
        _ words: [String], in folder: TemporaryFolder, shell: String? = nil, terminal: UInt16? = nil
    ) throws {
        let script = #"cd "$1" && shift && "# + (shell ?? #"exec "$@""#)
        let command = try ["/bin/sh", "-c", script, "sh", folder.pathString, Self.executable] + words
        (process, input, output, error) = try Self.spawning.withLock { _ in
            let (readInput, writeInput) = Self.pipe()
            let (readOutput, writeOutput) = Self.pipe()
            let (readError, writeError) = terminal.map(Self.terminal) ?? Self.pipe()
            defer { for descriptor in [readInput, writeOutput, writeError] { close(descriptor) } }
            _ = fcntl(writeInput, F_SETFL, O_NONBLOCK)
            // No face model, and no warning of it.
            let environment = ["PATH=/usr/bin:/bin", "TERM=xterm", "TONDO_FACE_MODEL="]
            let process = try SpawnedProcess(command, environment: environment) { actions in
                for (number, stream) in [readInput, writeOutput, writeError].enumerated() {
                    posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
                }
            }
            return (process, writeInput, Stream(descriptor: readOutput), Stream(descriptor: readError))
        }
        deadline = .now + .seconds(300)
    }

    deinit {
        if status == nil {
            kill(process.id, SIGKILL)
            _ = process.wait()
        }
        for descriptor in [input, output.descriptor, error.descriptor] where descriptor >= 0 { close(descriptor) }
    }

    /// Bytes for its standard input, passed on while the test waits for something.
    func send(_ bytes: Data) { pending += bytes }

    /// Ends its standard input, once all is sent.
    func closeInput() { isClosing = true }

    func signal(_ number: Int32) { kill(process.id, number) }

    /// From now on no descriptor of this number or a greater one can be opened.
    func limitDescriptors(to count: Int) throws {
        let words = ["--pid", "\(process.id)", "--nofile=\(count):1024"]
        let change = try Process.run(URL(fileURLWithPath: "/usr/bin/prlimit"), arguments: words)
        change.waitUntilExit()
    }

    /// Stops reading what it prints.
    func closeOutput() {
        close(output.descriptor)
        (output.descriptor, output.isOpen) = (-1, false)
    }

    /// Until all that was sent has left for the pipe.
    func waitForInputSent() throws { try wait { $0.pending.isEmpty } }

    func wait(forOutput text: String) throws { try wait { $0.output.data.contains(Data(text.utf8)) } }

    /// Until one line of the output holds both.
    func wait(forLineWith one: String, _ other: String) throws {
        try wait { $0.outputText.split(separator: "\n").contains { $0.contains(one) && $0.contains(other) } }
    }

    func wait(forError text: String) throws { try wait { $0.error.data.contains(Data(text.utf8)) } }

    /// Bytes of memory at its peak so far. The value of `wait4` is no use: it counts the test's own memory, which the
    /// process shared until it became `tondo`.
    var peakMemory: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return 1024 * (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
        }
    }

    /// Waits for its end. `closingInput`: false when it must end although its input does not.
    func finish(closingInput: Bool = true) throws -> Outcome {
        if closingInput { closeInput() }
        while output.isOpen || error.isOpen { try turn() }
        let status = process.wait()
        self.status = status
        return Outcome(status: status, output: output.data, error: String(decoding: error.data, as: UTF8.self))
    }
}

extension RunningTondo {
    private func wait(until isThere: (RunningTondo) -> Bool) throws {
        while !isThere(self) {
            guard output.isOpen || error.isOpen else { throw Stopped.ended(output: outputText, error: errorText) }
            try turn()
        }
    }

    /// What has come so far.
    var outputText: String { String(decoding: output.data, as: UTF8.self) }
    private var errorText: String { String(decoding: error.data, as: UTF8.self) }

    /// Waits until one of the streams is ready and serves all that are.
    private func turn() throws {
        if pending.isEmpty && isClosing { endInput() }
        var polls = [
            pollfd(fd: pending.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output.isOpen ? output.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: error.isOpen ? error.descriptor : -1, events: Int16(POLLIN), revents: 0),
        ]
        let left = (deadline - .now) / .milliseconds(1)
        guard left > 0, poll(&polls, 3, Int32(left)) > 0 else {
            throw Stopped.deadline(output: outputText, error: errorText)
        }
        if polls[0].revents != 0 { serveInput() }
        if polls[1].revents != 0 { Self.serve(&output) }
        if polls[2].revents != 0 { Self.serve(&error) }
    }

    private func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    private func serveInput() {
        let count = pending.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        if count > 0 { pending = Data(pending.dropFirst(count)) } else if errno != EAGAIN { pending = Data() }
    }

    /// A terminal whose other side is gone reads as an error.
    private static func serve(_ stream: inout Stream) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(stream.descriptor, &bytes, bytes.count)
        if count > 0 { stream.data += bytes[..<count] } else { stream.isOpen = false }
    }
}

extension RunningTondo {
    static var executable: String { get throws { try BuiltProgram.path("tondo") } }

    /// Held while descriptors are made, until none of them can leak into a program that another test starts.
    private static let spawning = Mutex(())

    /// Reading and writing end.
    private static func pipe() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        // A test that writes to a program that ended wants an error, not its own end.
        Glibc.signal(SIGPIPE, SIG_IGN)
        return keep(ends[0], ends[1])
    }

    private static func terminal(columns: UInt16) -> (Int32, Int32) {
        var (main, side): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = openpty(&main, &side, nil, nil, &size)
        return keep(main, side)
    }

    private static func keep(_ first: Int32, _ second: Int32) -> (Int32, Int32) {
        for descriptor in [first, second] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (first, second)
    }
}
