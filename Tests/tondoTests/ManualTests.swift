import Foundation
import Testing
import TondoConfiguration
import TondoTestSupport

@testable import tondo

@Suite struct ManualTests {
    private static let pages =
        (try? FileManager.default.contentsOfDirectory(atPath: Repository.path("assets/man")))?
        .filter { $0.hasSuffix(".1") }.sorted() ?? []
    private static let settingsPage = "tondo.toml.5"

    @Test(
        .enabled(if: ShellCommand.exists("/usr/bin/groff"), "groff is not installed"), arguments: pages + [settingsPage]
    )
    func `groff finds no problem in a page`(_ page: String) throws {
        let result = try ShellCommand.run("/usr/bin/groff", "-man", "-ww", "-z", Repository.path("assets/man/" + page))
        #expect(result.status == 0 && result.output == "")
    }

    @Test(.enabled(if: ShellCommand.exists("/usr/bin/python3"), "python3 is not installed"))
    func `The pages are made of the texts of --help`() throws {
        let program = Repository.path("assets/make_man")
        let result = try ShellCommand.run(program, "--check", "--tondo", RunningTondo.executable)
        #expect(result.status == 0 && result.output == "")
    }

    @Test func `Each command has a page with its subcommands and options`() throws {
        let folder = try TemporaryFolder()
        let commands = try subcommands([], folder)
        #expect(commands.count >= 8)
        #expect(Set(Self.pages) == Set(commands.map { "tondo-\($0).1" } + ["tondo.1"]))
        for command in [""] + commands {
            let path = command.isEmpty ? [] : [command]
            let page = try text((["tondo"] + path).joined(separator: "-") + ".1")
            for path in try [path] + (path.isEmpty ? [] : subcommands(path, folder).map { path + [$0] }) {
                let options = try RunningTondo(path + ["--help"], in: folder).finish().text.matches(
                    of: /\n  (-[^\n]*?)(?:\s{2}|\n)/)
                #expect(!options.isEmpty)
                for name in options.flatMap({ $0.1.matches(of: /--?[a-z][a-z-]*/).map { String($0.0) } }) {
                    #expect(page.contains("\\fB\(name)\\fR"), "\(path) \(name)")
                }
            }
        }
    }

    @Test func `The page of the program lists the pages of its commands`() throws {
        let text = try text("tondo.1")
        for page in Self.pages where page != "tondo.1" {
            #expect(text.contains(".BR \(page.dropLast(2)) (1)\n"), "\(page)")
        }
    }

    @Test func `make install installs every page`() throws {
        let root = Repository.path("")
        let result = try ShellCommand.run("/usr/bin/env", "make", "-C", root, "-n", "install", "TONDO=/bin/true")
        #expect(result.status == 0)
        for page in Self.pages + [Self.settingsPage] {
            #expect(result.output.contains("assets/man/\(page) "), "\(page)")
        }
    }

    @Test func `The pages and the document of the service name every variable of the settings`() throws {
        for text in [
            try text("tondo-serve.1"), try text(Self.settingsPage),
            String(decoding: try Repository.data("docs/service.md"), as: UTF8.self),
        ] {
            let words = Set(text.replacing(/\\f[A-Z]/, with: " ").split { !$0.isLetter && $0 != "_" })
            for setting in ServiceConfiguration.declarations {
                #expect(words.contains(setting.environmentName[...]), "\(setting.environmentName)")
            }
        }
    }

    /// Without the escapes of hyphens.
    private func text(_ page: String) throws -> String {
        String(decoding: try Repository.data("assets/man/" + page), as: UTF8.self).replacing("\\-", with: "-")
    }

    private func subcommands(_ path: [String], _ folder: TemporaryFolder) throws -> [String] {
        let help = try RunningTondo(path + ["--help"], in: folder).finish().text
        guard let list = help.firstRange(of: "\nSUBCOMMANDS:") else { return [] }
        return help[list.upperBound...].matches(of: /\n  ([a-z][a-z-]*)(?:\s{2}|\n)/).map { String($0.1) }
    }
}
