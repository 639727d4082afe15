import Foundation
import Testing
import TondoTestSupport
import TondoText

@testable import tondo

@Suite struct ConvertUsageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "ada.jpg")
    }

    @Test(arguments: [
        [], ["ada.jpg", "--nonsense"], ["ada.jpg", "--size", "0"], ["ada.jpg", "--size", "1025"],
        ["ada.jpg", "--size", "abc"], ["ada.jpg", "--size", ""], ["ada.jpg", "--size", "48,"],
        ["ada.jpg", "--scale", "0"], ["ada.jpg", "--scale", "4"], ["ada.jpg", "--scale", "1.5"],
        ["ada.jpg", "--state", "hover"], ["ada.jpg", "--ring-width", "-1"], ["ada.jpg", "--ring-width", "nan"],
        ["ada.jpg", "--ring-width", "48"], ["ada.jpg", "--ring-gap", "47.9"], ["ada.jpg", "--ring-color", "blu"],
        ["ada.jpg", "--background", "#12345"], ["ada.jpg", "--jobs", "0"], ["ada.jpg", "--jobs", "many"],
        ["ada.jpg", "--max-memory", "0"], ["ada.jpg", "--progress", "sometimes"], ["ada.jpg", "--output", ""],
        ["-", "-"], [""], ["ada.jpg", "--json", "-o", "-"], ["ada.jpg", "--size", "16,20", "-o", "-"],
        ["ada.jpg", "--size", "16,20", "-o", "one.png"], ["ada.jpg", "-", "-o", "one.png"],
        ["ada.jpg", "--cache-max-size", "1GB"], ["ada.jpg", "--explain-crop", "-o", "-"], ["-", "--explain-crop"],
    ])
    func `Wrong usage ends with 64 and writes nothing`(_ words: [String]) throws {
        let outcome = try RunningTondo(["convert"] + words, in: folder).finish()
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("tondo: "))
        #expect(outcome.output.isEmpty)
        #expect(try folder.files() == ["ada.jpg"])
    }

    @Test(arguments: [
        ("--size", "1025", "--size 1025: a size has 1...1024 points"),
        ("--scale", "4", "--scale 4: a scale is 1, 2 or 3"),
        ("--jobs", "0", "--jobs 0: must be 1...1024"),
        ("--size", "abc", "'abc' is invalid for '--size"),
        ("--ring-width", "48", "ring and gap leave no room"),
    ])
    func `The message names the option, its value and what is wrong`(
        _ option: String, _ value: String, _ message: String
    ) throws {
        #expect(try Tondo.run("convert", "ada.jpg", option, value, in: folder).error.contains(message))
    }

    @Test func `A ring that leaves a point's least fraction is refused and does not crash`() throws {
        let words = ["--size", "1", "--ring-width", "0.4999", "--ring-gap", "0"]
        let outcome = try RunningTondo(["convert", "ada.jpg"] + words, in: folder).finish()
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("ring and gap leave no room"))
    }

    @Test(arguments: [("1", 1), ("1024", 1024)])
    func `The smallest and the largest size are drawn`(_ size: String, _ side: Int) throws {
        let outcome = try Tondo.run("convert", "ada.jpg", "--size", size, "-o", "a.png", in: folder)
        #expect(outcome.status == 0)
        #expect(try PNGSize(folder.data("a.png")) == PNGSize(width: side, height: side))
    }

    @Test func `Help documents every exit status within 80 columns`() throws {
        let outcome = try Tondo.run("convert", "--help", in: folder)
        #expect(outcome.status == 0)
        let section = outcome.text.components(separatedBy: "EXIT STATUS\n").last?.components(separatedBy: "\n\n").first
        let words = (section ?? "").split(separator: "\n").map { $0.split(separator: " ").first ?? "" }
        #expect(words == ["0", "1", "64", "66", "69", "71", "74", "78", "130", "141"])
        #expect(outcome.lines.allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: [
        "--output", "--size", "--scale", "--state", "--ring-width", "--ring-gap", "--ring-color", "--background",
        "--jobs", "--force", "--json", "--quiet", "--progress", "--recursive", "--max-memory",
        "--cache", "--cache-dir", "--cache-max-size", "--sandbox",
    ])
    func `Help names the option`(_ option: String) throws {
        #expect(try Tondo.run("convert", "--help", in: folder).text.contains(option))
    }

    @Test func `The version is printed`() throws {
        let outcome = try Tondo.run("--version", in: folder)
        #expect(outcome.status == 0)
        #expect(outcome.text == Tondo.version + "\n")
    }

    @Test func `An unknown command is wrong usage`() throws {
        #expect(try Tondo.run("convrt", "ada.jpg", in: folder).status == 64)
    }

    @Test func `A misspelled command is answered with the one that was meant`() throws {
        let outcome = try Tondo.run("convret", "ada.jpg", in: folder)
        let lines = [
            "tondo: convret: no such command; did you mean 'convert'?", "  See 'tondo --help' for all commands.",
        ]
        #expect(outcome.error == lines.map { $0 + "\n" }.joined())
    }

    @Test(arguments: [
        (["cache", "stats"], "stat"), (["cache", "verfiy"], "verify"), (["contacts", "shwo", "b"], "show"),
        (["config", "chek"], "check"), (["statsu"], "status"), (["Serve"], "serve"), (["contacts", "list"], "ls"),
        (["contacts", "remove", "b", "x"], "rm"), (["photos", "delete"], "remove"), (["help", "convrt"], "convert"),
    ])
    func `Commands and subcommands are suggested alike`(_ words: [String], _ meant: String) throws {
        #expect(UnknownCommand(words, of: Tondo.self)?.candidates == [meant])
    }

    @Test(arguments: [["convert", "convret"], ["cache", "stat"], ["--help"], ["help"], []])
    func `A known command is not suggested`(_ words: [String]) {
        #expect(UnknownCommand(words, of: Tondo.self) == nil)
    }

    @Test func `A file in the place of a command is answered with the command for it`() throws {
        let outcome = try Tondo.run("./ada.jpg", in: folder)
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("tondo: ./ada.jpg: no such command; did you mean 'tondo convert ./ada.jpg'?\n"))
        #expect(
            try Tondo.run("contacts", "./ada.jpg", in: folder).error
                .hasPrefix("tondo: ./ada.jpg: no such command; did you mean 'tondo contacts ls ./ada.jpg'?\n"))
        #expect(try Tondo.run("version", in: folder).error.contains("did you mean 'tondo --version'?"))
    }

    @Test func `A URL is answered with the way to convert what is there`() throws {
        let outcome = try Tondo.run("convert", "https://example.org/ada.jpg", in: folder)
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("tondo: https://example.org/ada.jpg: URLs are not fetched; for one: curl "))
    }

    @Test func `The help of an unknown command is wrong usage`() throws {
        let outcome = try Tondo.run("help", "contacts", "lss", in: folder)
        #expect(outcome.status == 64 && outcome.text.isEmpty)
        #expect(outcome.error.hasPrefix("tondo: lss: no such command; did you mean 'ls'?\n"))
    }

    @Test(arguments: ["-dash.jpg", "-ada.jpg"]) func `A file whose name begins as options do is never taken for --help`(
        _ name: String
    ) throws {
        try folder.write(folder.data("ada.jpg"), to: name)
        let outcome = try Tondo.run("convert", name, in: folder)
        #expect(outcome.status == 64 && outcome.text.isEmpty)
        #expect(outcome.error == "tondo: \(name): begins as options do; name the file as ./\(name)\n")
        #expect(try Tondo.run("convert", "./" + name, in: folder).status == 0)
    }

    @Test func `A word that is near to no command gets no suggestion`() throws {
        #expect(UnknownCommand(["photos/ada.jpg"], of: Tondo.self)?.candidates == [])
        #expect(UnknownCommand(["x"], of: Tondo.self)?.candidates == [])
    }

    @Test(arguments: [("convert", "convert", 0), ("convret", "convert", 1), ("", "ls", 2), ("kitten", "sitting", 3)])
    func `The distance counts letters and swaps`(_ one: String, _ other: String, _ distance: Int) {
        #expect(EditDistance.between(one, and: other) == distance)
    }

    @Test func `Too few descriptors are one error that names the number`() throws {
        let words = ["convert", "ada.jpg", "--jobs", "2"]
        let minimumBacklog = try RunningTondo(words, in: folder, shell: #"ulimit -n 39; exec "$@""#).finish()
        #expect(minimumBacklog.status == 71)
        #expect(
            minimumBacklog.error
                == "tondo: the limit of open files is 39, 40 are needed: raise it with 'ulimit -n' or LimitNOFILE=\n")
        #expect(try folder.files() == ["ada.jpg"])
        let enough = words + ["--cache-dir", "cache"]
        // Without what tests that run at the same time leave open.
        let closing = #"for f in /proc/$$/fd/*; do f=${f##*/}; if [ "$f" -gt 2 ]; then eval "exec $f>&-"; fi; done"#
        let shell = #"exec bash -c '\#(closing); ulimit -n 40; exec "$@"' bash "$@""#
        #expect(try RunningTondo(enough, in: folder, shell: shell).finish().status == 0)
    }
}
