import Glibc

/// Standard input, output and error, as a parent may have left them.
enum StandardStreams {
    /// To be called before any file is opened. A stream that was closed must not become the number of the next file,
    /// or messages would end up in a picture. A reader that went away, and a file larger than allowed, are errors to be
    /// told, not a sudden end.
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

    /// Cells a line of standard output; nil when it is no terminal, or one that does not say.
    static var outputColumns: Int? {
        var size = winsize()
        let known = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return known ? Int(size.ws_col) : nil
    }
}
