import Foundation
import Testing
import TondoSettings

@testable import tondo

@Suite struct ManualTests {
    private static let groff = "/usr/bin/groff"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: groff), "groff is not installed"))
    func `groff finds nothing to say about the manual`() throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: Self.groff)
        process.arguments = ["-man", "-ww", "-z", Repository.path("assets/man/tondo.1")]
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == "")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `The manual knows every command, and every flag of the service`() throws {
        let text = String(decoding: try Repository.bytes("assets/man/tondo.1"), as: UTF8.self)
        let folder = try TemporaryFolder()
        let commands = try Tondo.run("--help", in: folder).text.matches(of: /\n  ([a-z]+)\ {2}/).map { String($0.1) }
        #expect(commands.count >= 8)
        for command in commands { #expect(text.contains("\n.B \(command)"), "\(command)") }
        let flags = try Tondo.run("serve", "--help", in: folder).text.matches(of: /--[a-z-]+/).map { String($0.0) }
        for flag in Set(flags).subtracting(["--help", "--version"]) {
            #expect(text.contains(flag.replacing("-", with: "\\-")), "\(flag)")
        }
    }

    @Test(arguments: ["assets/man/tondo.1", "docs/service.md"])
    func `The manual and the service's page name every variable of the settings`(_ document: String) throws {
        let text = String(decoding: try Repository.bytes(document), as: UTF8.self).replacing("\\fB", with: " ")
        let words = Set(text.split { !$0.isLetter && $0 != "_" })
        for key in SettingKey.allCases { #expect(words.contains(key.environmentName[...]), "\(key.environmentName)") }
    }
}
