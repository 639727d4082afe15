import Foundation
import Testing
import TondoCache
import TondoConfiguration
import TondoContacts
import TondoEndpoints
import TondoImage
import TondoServer
import TondoTestSupport

@testable import tondo

@Suite struct CompletionTests {
    /// Options with a closed list of values, after a command that has them, and the values of the type that reads them.
    static let lists: [(command: String, option: String, values: [String])] = [
        ("contacts ls", "filter", ContactFilter.Channel.allCases.map(\.word)),
        ("contacts export", "sort", ContactSort.words),
        ("cache ls", "sort", EntryQuery.Order.allCases.map(\.rawValue)),
        ("serve", "log-level", ServiceConfiguration.builtIn.logLevel.declaration.choices),
        ("serve", "public", ServiceArea.allCases.map(\.rawValue)),
        ("convert", "state", Style.State.allCases.map(\.rawValue)), ("load", "scale", Style.scales.map(String.init)),
        ("load", "ring-color", RGBA.basicNames), ("cache why", "background", ["none"] + RGBA.basicNames),
        ("convert", "progress", ProgressMode.allCases.map(\.rawValue)),
    ]

    @Test func `bash completes the values of an option`() throws {
        let script = try script("bash")
        for list in Self.lists where !list.values.isEmpty {
            #expect(try bash(script, list.command, "--\(list.option)", "") == list.values.sorted(), "\(list.option)")
        }
        #expect(try bash(script, "contacts ls", "--filter", "te") == ["telegram"])
    }

    @Test func `bash completes files and folders`() throws {
        let script = try script("bash")
        #expect(try bash(script, "convert", "assets/sam") == ["assets/samples"])
        #expect(try bash(script, "serve", "--cache-dir", "Sources/Programs/tondo/T").isEmpty)
        let start = "Sources/Programs/tondo/T"
        #expect(try bash(script, "serve", "--config", start) == ["Sources/Programs/tondo/Tondo.swift"])
    }

    @Test func `bash completes the commands of the work queue`() throws {
        let script = try script("bash")
        #expect(try bash(script, "jobs", "").filter { !$0.hasPrefix("-") } == ["drop", "ls", "retry"])
        #expect(try bash(script, "jobs retry", "--al") == ["--all"])
        #expect(try bash(script, "load", "--enq") == ["--enqueue"])
        #expect(try bash(script, "load", "--fol") == ["--follow"])
        #expect(try bash(script, "worker", "--claim") == ["--claim-after"])
        #expect(try bash(script, "worker", "assets/sam") == ["assets/samples"])
        #expect(try bash(script, "worker", "--cache-dir", "assets/sam") == ["assets/samples"])
        let start = "Sources/Programs/tondo/T"
        #expect(try bash(script, "worker", "--config", start) == ["Sources/Programs/tondo/Tondo.swift"])
        let levels = ServiceConfiguration.builtIn.logLevel.declaration.choices
        #expect(try bash(script, "worker", "--log-level", "") == levels.sorted())
    }

    @Test(arguments: ["zsh", "fish"]) func `The scripts of zsh and fish have the values`(_ shell: String) throws {
        let lines = try script(shell).split(separator: "\n")
        for list in Self.lists {
            let name =
                shell == "zsh" ? "___\(list.option.replacing("-", with: "_"))=(" : "-l '\(list.option)'"
            let holds = lines.contains { line in
                line.contains(name) && list.values.allSatisfy { line.contains($0) }
            }
            #expect(holds, "\(list.option)")
        }
    }

    @Test func `Every option with a list of values completes it, and every path completes files`() throws {
        let text = try Tondo.run("--experimental-dump-help", in: TemporaryFolder()).text
        let root = try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
        var paths = 0
        for argument in root.all {
            let (name, kind) = (argument.valueName ?? "", argument.completionKind ?? [:])
            if let values = argument.allValues, !values.isEmpty { #expect(kind["list"]?.values == values, "\(name)") }
            guard
                ["path", "file", "folder", "input", "book", "photo"].contains(
                    where: name.split(separator: "|").contains)
            else { continue }
            #expect(kind["file"] != nil || kind["directory"] != nil, "\(name)")
            paths += 1
        }
        #expect(paths > 20)
    }

    private func script(_ shell: String) throws -> String {
        try Tondo.run("--generate-completion-script", shell, in: TemporaryFolder()).text
    }

    /// What bash offers for the last word, in the folder of the package.
    private func bash(_ script: String, _ command: String, _ words: String...) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write(Data(script.utf8), to: "tondo.bash")
        let line = ["tondo"] + command.split(separator: " ").map(String.init) + words
        let quoted = line.map { "'\($0)'" }.joined(separator: " ")
        let code = """
            cd '\(Repository.path(""))' && source '\(folder.pathString)/tondo.bash' || exit 1
            COMP_WORDS=(\(quoted)) COMP_CWORD=\(line.count - 1) COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
            COMP_TYPE=9
            _tondo tondo "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try ShellCommand.run("/bin/bash", "--norc", "-c", code).output
            .split(separator: "\n").map { String($0).trimmingCharacters(in: .whitespaces) }.sorted()
    }

    private struct Dump: Decodable {
        struct Command: Decodable {
            var arguments: [Argument]?
            var subcommands: [Command]?

            var all: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.all) }
        }

        struct Argument: Decodable {
            struct Kind: Decodable { var values: [String]? }

            var valueName: String?
            var allValues: [String]?
            var completionKind: [String: Kind]?
        }

        var command: Command
    }
}
