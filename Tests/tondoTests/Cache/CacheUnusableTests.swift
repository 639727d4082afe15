import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct CacheUnusableTests {
    private let cache: FilledCache
    private var folder: TemporaryFolder { cache.folder }

    init() throws { cache = try FilledCache(isFilled: false) }

    private static let questions = [
        ["stat"], ["ls"], ["show", "abcd"], ["why", "ada.jpg"], ["verify"], ["prune"], ["clear", "--yes"],
    ]

    @Test(arguments: questions)
    func `Where there is no cache, none is made`(_ words: [String]) throws {
        let outcome = try cache.run(["cache"] + words + ["--cache-dir", "nowhere"])
        #expect(outcome.status == 66)
        #expect(outcome.output.isEmpty)
        let hint = "'tondo load BOOK' or 'tondo convert --cache' creates one"
        #expect(outcome.error == "tondo: cache: nowhere: no cache in this folder; \(hint)\n")
        #expect(!folder.exists("nowhere"))
    }

    @Test(arguments: [["cache", "stat"], ["convert", "ada.jpg"]])
    func `A file is no cache`(_ words: [String]) throws {
        let outcome = try cache.run(words + ["--cache-dir", "bo.png"])
        #expect(outcome.status == 66)
        #expect(outcome.error == "tondo: cache: bo.png: not a cache: it is not a folder\n")
        #expect(!folder.exists("avatars"))
    }

    @Test func `A folder of other things is no cache, and is left untouched`() throws {
        try folder.write(Data("mine".utf8), to: "documents/letter.txt")
        #expect(try cache.run(["cache", "stat", "--cache-dir", "documents"]).status == 66)
        let outcome = try cache.run(["convert", "ada.jpg", "--cache-dir", "documents"])
        #expect(outcome.status == 66)
        #expect(outcome.error.contains("it holds other files, such as letter.txt; name an empty folder or a new one"))
        #expect(try folder.files(below: "documents") == ["letter.txt"])
    }

    @Test(arguments: [["cache", "verify", "--repair"], ["convert", "ada.jpg"], ["cache", "clear", "--yes"]])
    func `A newer Tondo's cache is refused and left untouched`(_ words: [String]) throws {
        try folder.write(Data("2\n".utf8), to: "newer/VERSION")
        let outcome = try cache.run(words + ["--cache-dir", "newer"])
        #expect(outcome.status == 66)
        #expect(outcome.error.contains("created by a newer Tondo (layout 2, this version supports 1); left untouched"))
        #expect(try folder.files(below: "newer") == ["VERSION"])
        #expect(try folder.data("newer/VERSION") == Data("2\n".utf8))
    }

    @Test(.enabled(if: Unprivileged.isPossible, "no way to run as somebody whom permissions stop"))
    func `A cache that may not be looked into is unusable`() throws {
        _ = try cache.convert(only: "ada.jpg")
        let outcome = try cache.run("stat", shell: "chmod 755 .; chmod 700 cache; " + (Unprivileged.shell ?? ""))
        #expect(outcome.status == (geteuid() == 0 ? 66 : 0))
        let reason = "tondo: cache: cache: is forbidden or read-only\n"
        #expect(outcome.error == (geteuid() == 0 ? reason : ""))
    }

    @Test(arguments: questions.filter { $0 != ["show", "abcd"] })
    func `An answer that cannot be printed is an error`(_ words: [String]) throws {
        _ = try cache.convert(only: "ada.jpg")
        let all = ["cache"] + words + ["--cache-dir", "cache"]
        let full = try cache.run(all, shell: #"exec "$@" > /dev/full"#)
        #expect(full.status == 74)
        #expect(full.error == "tondo: standard output: cannot be written: no space left on device\n")
        let closed = try cache.run(all, shell: #"exec "$@" >&-"#)
        #expect(closed.status == 74)
        #expect(closed.error == "tondo: standard output: cannot be written: bad file descriptor\n")
    }

    @Test func `A reader that went away is no reason to complain`() throws {
        _ = try cache.convert(only: "ada.jpg")
        let running = try RunningTondo(["cache", "ls", "--cache-dir", "cache"], in: folder)
        running.closeOutput()
        let outcome = try running.finish()
        #expect(outcome.status == 141)
        #expect(outcome.error.isEmpty)
    }

    @Test(arguments: [
        ["stat", "--max-size", "large"], ["ls", "--sort", "name"], ["ls", "--since", "yesterday"],
        ["ls", "--style", "plain"], ["ls", "--larger-than", "0"], ["ls", "--limit=-1"], ["show"],
        ["show", "abcd", "--json", "--preview"], ["why"], ["why", "a", "--size", "0"], ["prune", "--max-age", "3"],
        ["stat", "--cache-dir", ""],
    ])
    func `Wrong usage ends with 64 and says how it is right`(_ words: [String]) throws {
        let outcome = try cache.run(["cache"] + words)
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("tondo: "))
        #expect(outcome.error.contains("See 'tondo cache \(words[0]) --help' for more information."))
    }
}
