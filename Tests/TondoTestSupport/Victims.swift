import Foundation

/// Processes of a worker's program under another name, which a test ends like another process would.
package struct Victims {
    /// The path of the program.
    package let path: String
    private let name: String

    /// `name`: 15 bytes at most, and no other test's.
    package init(_ name: String, of program: String = "tondo-render", in folder: TemporaryFolder) throws {
        self.name = name
        path = folder.pathString + "/" + name
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: try BuiltProgram.path(program))
    }

    /// Ends one that this process started. False: there is none.
    package func endOne(_ random: inout SplitMix64) -> Bool {
        guard let victim = processes.randomElement(using: &random) else { return false }
        return kill(victim, SIGKILL) == 0
    }

    /// Ends all that this process started.
    package func endAll() { for process in processes { kill(process, SIGKILL) } }

    /// Those that this process started and that still run.
    package var processes: [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name -> pid_t? in
            guard let process = pid_t(name),
                let line = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                line.contains("(\(self.name)) "), let rest = line.split(separator: ") ").last
            else { return nil }
            let fields = rest.split(separator: " ")
            return fields.count > 1 && fields[0] != "Z" && pid_t(fields[1]) == getpid() ? process : nil
        }
    }
}
