import Glibc

/// The pipe through which all processes report their steps.
final class EventPipe {
    enum Problem: Error {
        /// No process reported anything for a minute.
        case silence
    }

    /// Where the processes write.
    let input: Int32
    private let output: Int32
    private var pending: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        (output, input) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit { for end in [input, output] { close(end) } }

    /// The reports since the last call; none if there are none.
    func available() -> [Event] {
        var events: [Event] = []
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { return events }
            pending += buffer[..<count]
            let whole = pending.count / Event.size * Event.size
            events += stride(from: 0, to: whole, by: Event.size).compactMap { Event(pending[$0..<($0 + Event.size)]) }
            pending.removeFirst(whole)
        }
    }

    /// As `available`, but waits until there is something.
    func next() throws(Problem) -> [Event] {
        var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 60_000) > 0 else { throw .silence }
        return available()
    }
}
