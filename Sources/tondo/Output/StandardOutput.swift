import ArgumentParser
import FoundationEssentials
import SystemPackage

/// Where results go.
enum StandardOutput {
    /// All of it, or the end of the command: silently when the reader has gone, with the status of a program that SIGPIPE
    /// ended.
    static func write(_ text: String) throws { try write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) throws {
        do { _ = try FileDescriptor.standardOutput.writeAll(bytes) } catch let error as Errno {
            complain(error)
            throw error == .brokenPipe ? ExitCode.readerGone : ExitCode.inputOutput
        }
    }

    /// Says why it cannot be written, unless its reader has gone.
    static func complain(_ error: any Error) {
        if error as? Errno == .brokenPipe { return }
        let reason = "\(error)"
        Terminal.complain("standard output: cannot be written: \(reason.prefix(1).lowercased() + reason.dropFirst())")
    }

    /// One JSON object in one line.
    static func write(json value: some Encodable) throws { try write(JSONLine.encode(value) + "\n") }
}

extension ExitCode {
    /// The reader of standard output went away: what a shell tells of a program that SIGPIPE ended.
    static let readerGone = ExitCode(141)
}
