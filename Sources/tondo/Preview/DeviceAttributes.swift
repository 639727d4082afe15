import Glibc

/// The capabilities of a terminal: the response to the primary device attributes request `ESC [ c` (DA1, VT510
/// Programmer Information chapter 5), such as `ESC [ ? 62 ; 4 ; 22 c`: a service class, then its extensions.
enum DeviceAttributes {
    /// The timeout: enough for a slow line, and short enough to wait for in vain.
    static let timeout = Duration.milliseconds(200)

    /// Extension 4 is sixel graphics.
    static func haveSixel(_ response: String) -> Bool {
        guard response.hasSuffix("c"), let start = response.firstIndex(of: "?") else { return false }
        let numbers = response[response.index(after: start)...].dropLast().split(separator: ";")
        return numbers.dropFirst().contains("4")
    }

    /// Queries the terminal of the process. Nil if standard output is not a terminal, or if it does not respond in
    /// time.
    static func query() -> String? {
        guard StandardStreams.outputIsTerminal else { return nil }
        // A terminal that was stopped with Ctrl-S accepts no bytes, and must not block the program.
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        // Setting modes from the background would stop the program (POSIX.1-2017 section 11.1.4).
        guard tcgetpgrp(terminal) == getpgrp() else { return nil }
        return query(terminal, timeout: timeout)
    }

    /// `terminal`: a descriptor for reading and writing, whose modes are restored in every case. If keys were typed
    /// ahead, the terminal is not queried: they could not be distinguished from the response.
    static func query(_ terminal: Int32, timeout: Duration) -> String? {
        withoutSignals {
            var modes = termios()
            guard tcgetattr(terminal, &modes) == 0 else { return nil }
            var raw = modes
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            guard tcsetattr(terminal, TCSANOW, &raw) == 0 else { return nil }
            defer { tcsetattr(terminal, TCSANOW, &modes) }
            guard !isReadable(terminal, for: .zero), write(terminal, "\u{1B}[c", 3) == 3 else { return nil }
            let response = readResponse(terminal, until: .now + timeout)
            // The rest of an incomplete response must not reach the shell.
            if response == nil { tcflush(terminal, TCIFLUSH) }
            return response
        }
    }

    /// Byte by byte, so that input after the response is not consumed.
    private static func readResponse(_ terminal: Int32, until deadline: ContinuousClock.Instant) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 256, isReadable(terminal, for: deadline - .now) {
            var byte: UInt8 = 0
            guard read(terminal, &byte, 1) == 1 else { return nil }
            if byte == 0x1B { bytes = [] }
            bytes.append(byte)
            if byte == UInt8(ascii: "c"), bytes.starts(with: "\u{1B}[?".utf8) {
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        return nil
    }

    private static func isReadable(_ terminal: Int32, for time: Duration) -> Bool {
        guard time >= .zero else { return false }
        var poll = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, Int32((time / .milliseconds(1)).rounded(.up))) == 1
    }

    /// Signals that would end or stop the program are held back until `body` has restored the modes.
    private static func withoutSignals<Result>(_ body: () -> Result) -> Result {
        var held = sigset_t()
        var before = sigset_t()
        sigemptyset(&held)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { sigaddset(&held, number) }
        pthread_sigmask(SIG_BLOCK, &held, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }
}
