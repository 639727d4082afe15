import ArgumentParser
import FoundationEssentials
import SystemPackage

/// Where results go.
enum StandardOutput {
    /// All of it, or the end of the command: silently when the reader has gone.
    static func write(_ text: String) throws { try write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) throws {
        do { _ = try FileDescriptor.standardOutput.writeAll(bytes) } catch let error as Errno {
            let reason = "\(error)"
            if error != .brokenPipe {
                Terminal.complain(
                    "standard output: cannot be written: \(reason.prefix(1).lowercased() + reason.dropFirst())")
            }
            throw ExitCode.inputOutput
        }
    }

    /// One JSON object in one line.
    static func write(json value: some Encodable) throws { try write(JSONLine.encode(value) + "\n") }
}
