import Glibc
import Synchronization
import SystemPackage

/// Properties of standard error, and writing to it.
enum Terminal {
    /// A person may be asked, also by a terminal that knows no control sequences, such as a shell in an editor.
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// A line may be drawn over another one.
    static var canRedraw: Bool { isInteractive && StandardStreams.knowsSequences }

    /// Characters per line; 80 if the terminal does not report a width.
    static var columns: Int { StandardStreams.columns(of: STDERR_FILENO) ?? 80 }

    /// Errors are ignored: there is no other place to report them.
    static func write(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

    /// Asks on the terminal, and says that nothing was changed unless the answer is yes.
    static func confirms(_ question: String) -> Bool {
        write("\(printable(question)) [y/N] ")
        let answer = readLine()
        if ["y", "yes"].contains(answer?.lowercased() ?? "") { return true }
        // Ctrl-D leaves the cursor behind the question.
        write("\(answer == nil ? "\n" : "")nothing was changed\n")
        return false
    }

    /// Prints an error line. From any thread; a progress bar is erased first.
    static func reportError(_ message: String) {
        hasBar.withLock { hasBar in
            write("\(hasBar ? eraseLine : "")tondo: \(printable(message))\n")
            hasBar = false
        }
    }

    /// Replaces the previous progress bar.
    static func draw(bar: String) {
        hasBar.withLock { hasBar in
            write("\r\(bar)\u{1B}[K")
            hasBar = true
        }
    }

    /// Erases the progress bar, if there is one, so that something else can be printed.
    static func clearBar() {
        hasBar.withLock { hasBar in
            if hasBar { write(eraseLine) }
            hasBar = false
        }
    }

    /// Whether the last line is a progress bar.
    private static let hasBar = Mutex(false)
    private static let eraseLine = "\r\u{1B}[2K"

    /// File names may contain control characters, which a terminal must not execute.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Includes characters that break lines or reverse the writing direction, with which one text can look like
    /// another.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<32, 127..<160, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
