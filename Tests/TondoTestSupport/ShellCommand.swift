internal import Foundation

/// A program of the system, run to its end.
package enum ShellCommand {
    package struct Result: Equatable {
        package var status: Int32
        /// Standard output and standard error.
        package var output: String
    }

    package static func exists(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    package static func run(_ path: String, _ words: String...) throws -> Result {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = words
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: text)
    }
}
