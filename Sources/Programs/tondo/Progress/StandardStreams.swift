import Glibc

/// Standard input, output and error, in the state the parent left them.
enum StandardStreams {
    /// Call before any file is opened. The number of a closed stream must not become the number of the next file, or
    /// messages would be written into an avatar. A closed pipe, and a file that exceeds a limit, become errors instead
    /// of a signal that ends the process.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
        where fcntl(number, F_GETFD) == -1 {
            _ = open("/dev/null", mode)
        }
    }

    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Cells per line of standard output; nil if it is not a terminal, or if the terminal does not report a width.
    static var outputColumns: Int? { columns(of: STDOUT_FILENO) }

    /// Cells per line of standard output if it is a terminal that shows colours; 80 if it does not report a width.
    static var colorColumns: Int? {
        outputIsTerminal && knowsSequences ? outputColumns ?? 80 : nil
    }

    /// Whether the terminal obeys control sequences.
    static var knowsSequences: Bool { !["", "dumb"].contains(getenv("TERM").map { String(cString: $0) } ?? "") }

    static func columns(of stream: Int32) -> Int? {
        var size = winsize()
        let known = ioctl(stream, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return known ? Int(size.ws_col) : nil
    }
}
