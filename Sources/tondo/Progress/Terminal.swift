import Glibc
import Synchronization
import SystemPackage

/// What is known about standard error and how to write to it.
enum Terminal {
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 && term != "dumb" }

    /// Characters a line; 80 when the terminal does not say.
    static var columns: Int {
        var size = winsize()
        let known = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return known ? Int(size.ws_col) : 80
    }

    /// What standard error does not take is lost: there is nowhere else to tell it.
    static func write(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }

    /// A line that says what is wrong. From any thread; a progress bar makes room for it.
    static func complain(_ message: String) {
        hasBar.withLock { hasBar in
            write("\(hasBar ? eraseLine : "")tondo: \(printable(message))\n")
            hasBar = false
        }
    }

    /// Draws a progress bar in the place of the one before.
    static func draw(bar: String) {
        hasBar.withLock { hasBar in
            write("\r\(bar)\u{1B}[K")
            hasBar = true
        }
    }

    /// Takes the progress bar away, if there is one, so that something else can be printed.
    static func clearBar() {
        hasBar.withLock { hasBar in
            if hasBar { write(eraseLine) }
            hasBar = false
        }
    }

    /// Whether the last line is a progress bar.
    private static let hasBar = Mutex(false)
    private static let eraseLine = "\r\u{1B}[2K"

    /// File names may hold control characters; a terminal must not obey them.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Also what breaks lines or turns the order of writing, with which one text can pass for another.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<32, 127..<160, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static var term: String { getenv("TERM").map { String(cString: $0) } ?? "" }
}
