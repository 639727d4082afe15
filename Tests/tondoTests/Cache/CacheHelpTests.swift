import Testing
import TondoTestSupport

@testable import tondo

@Suite struct CacheHelpTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        (nil, ["0", "1", "64", "66", "74", "78", "130", "141"]), ("stat", ["0", "64", "66", "74", "78", "141"]),
        ("ls", ["0", "64", "66", "74", "141"]), ("show", ["0", "1", "64", "66", "74", "141"]),
        ("why", ["0", "1", "64", "66", "74", "141"]), ("verify", ["0", "1", "64", "66", "74", "130", "141"]),
        ("prune", ["0", "64", "66", "74", "78", "141"]), ("clear", ["0", "64", "66", "74", "141"]),
    ])
    func `Help documents every exit status`(_ command: String?, _ statuses: [String]) throws {
        let outcome = try RunningTondo(["cache"] + (command.map { [$0] } ?? []) + ["--help"], in: folder).finish()
        let lines = outcome.lines.drop { $0 != "EXIT STATUS" }.dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(lines.map { String($0.split(separator: " ")[0]) } == statuses)
        #expect(outcome.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE: ") })
    }

    @Test(arguments: ["stat", "ls", "show", "why", "verify", "prune", "clear"])
    func `Every question takes a folder and answers in JSON`(_ command: String) throws {
        let text = try Tondo.run("cache", command, "--help", in: folder).text
        #expect(text.contains("--cache-dir <folder>"))
        #expect(text.contains("--json"))
    }
}
