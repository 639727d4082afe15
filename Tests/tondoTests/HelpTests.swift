import ArgumentParser
import Testing
import TondoTestSupport

@testable import tondo

/// The help of every command.
@Suite struct HelpTests {
    private static let commands = all(of: Tondo.self, [])

    private static func all(of command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
        let below = command.configuration.subcommands.flatMap {
            all(of: $0, path + [$0.configuration.commandName ?? ""])
        }
        return [path] + below
    }

    @Test(arguments: commands)
    func `Every command has examples, each on one line of 80 columns`(_ path: [String]) throws {
        let folder = try TemporaryFolder()
        let outcome = try RunningTondo(path + ["--help"], in: folder).finish()
        let examples = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
        #expect(outcome.status == 0 && !examples.isEmpty)
        for line in examples {
            #expect(line.hasPrefix("  tondo ") || line.hasPrefix("      "), "\(line)")
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test(arguments: commands) func `No indented line of a help text is longer than a terminal is wide`(
        _ path: [String]
    ) throws {
        let folder = try TemporaryFolder()
        let shell = #"COLUMNS=200 exec "$@""#
        let lines = try RunningTondo(path + ["--help"], in: folder, shell: shell).finish().text
            .split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.hasPrefix("USAGE") }
        for line in lines where line.hasPrefix(" ") { #expect(line.count <= 80, "\(line)") }
        #expect(!lines.contains { $0.hasSuffix(" ") })
        let heading = lines.firstIndex(of: "EXAMPLES")
        #expect(heading.map { lines[$0 - 1].isEmpty } == true, "an empty line before the examples")
    }

    @Test(arguments: commands) func `An example is a command with options that exist`(_ path: [String]) throws {
        let folder = try TemporaryFolder()
        let help = try RunningTondo(path + ["--help"], in: folder).finish().text
        let examples = help.matches(of: /\n  (tondo [^\n]*)/).map { String($0.1) }
        for example in examples {
            let words = example.split(separator: " ").map(String.init)
            for option in words.filter({ $0.hasPrefix("--") }) {
                // A group shows the options of its commands.
                let command = words.dropFirst().prefix { $0.allSatisfy(\.isLowercase) && $0.count > 1 }
                let path = Self.commands.filter { command.starts(with: $0) }.max { $0.count < $1.count } ?? []
                let own = try RunningTondo(path + ["--help"], in: folder).finish().text
                #expect(own.contains(option) || own.contains("SUBCOMMANDS"), "\(example): \(option)")
            }
        }
    }
}
