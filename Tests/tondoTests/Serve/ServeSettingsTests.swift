import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ServeSettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `All errors are reported with line and reason, and the status is 78`() throws {
        let text = """
            books = "contacts"
            listen = ["nowhere"]
            hosts = ["a b"]
            fallback-hosts = ["cdn.example:8080", "cdn.example"]
            public = ["everything"]
            [styles.strip]
            size = 48
            ring-color = "blau"
            [styles.tiny]
            size = 2
            state = "selected"
            ring-width = 9
            """
        try folder.write(Data(text.utf8), to: "tondo.toml")
        let expected = """
            tondo: tondo.toml:1: books must be a list of strings: ["..."]
            tondo: tondo.toml:2: listen must be HOST:PORT, [ADDRESS]:PORT or :PORT, not 'nowhere'
            tondo: tondo.toml:3: hosts holds 'a b', which is not a host name
            tondo: tondo.toml:4: fallback-hosts holds 'cdn.example:8080'; a host has no port
            tondo: tondo.toml:5: public must be a list of viewer, contacts, avatars, photos, events, cache, metrics, webfinger, not 'everything'
            tondo: tondo.toml:8: styles.strip: ring-color must be #RGB, #RRGGBB, #RRGGBBAA or a basic CSS name, not 'blau'
            tondo: tondo.toml:10: styles.tiny: ring and gap leave no room for an avatar of 2 points

            """
        for words in [["serve"], ["config", "check"]] {
            let outcome = try RunningTondo(words + ["--config", "tondo.toml"], in: folder).finish()
            #expect(outcome.status == 78)
            #expect(outcome.error == expected)
        }
    }

    @Test(arguments: [["--listen", "nowhere"], ["--jobs", "many"], ["--log-level", "loud"], ["--host", "a b"]])
    func `A wrong option is wrong usage`(_ words: [String]) throws {
        let outcome = try RunningTondo(["serve", "--config", "/dev/null"] + words, in: folder).finish()
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("tondo: \(words[0]): "))
    }

    @Test func `A file that is not there is something wrong with the settings`() throws {
        for words in [["serve"], ["config", "check"], ["config", "show"]] {
            let outcome = try RunningTondo(words + ["--config", "none.toml"], in: folder).finish()
            #expect(outcome.status == 78)
            #expect(outcome.error == "tondo: none.toml: it cannot be read: No such file or directory\n")
        }
    }

    @Test func `Each value is shown with where it comes from, the later over the earlier`() throws {
        try folder.write(Data("jobs = 2\nevents = 5\n[styles.strip]\nsize = 48\n".utf8), to: "tondo.toml")
        let outcome = try Tondo.run(
            "config", "show", "--config", "tondo.toml", in: folder,
            shell: #"TONDO_EVENTS=7 TONDO_EVNETS=8 exec "$@""#)
        #expect(outcome.status == 0)
        let lines = outcome.lines.map { $0.split(separator: "  #").map { $0.replacing(/\ +$/, with: "") } }
        #expect(lines.contains(["jobs = 2", " tondo.toml:1"]))
        #expect(lines.contains(["events = 7", " $TONDO_EVENTS"]))
        #expect(lines.contains(["avatar-max-age = 300", " built in"]))
        #expect(lines.contains(["styles.strip.size = 48", " tondo.toml:4"]))
        #expect(outcome.error == "tondo: warning: $TONDO_EVNETS: unknown setting\n")
    }

    @Test func `Default paths are shown, too, but need not be in a file`() throws {
        let shell = #"unset CACHE_DIRECTORY STATE_DIRECTORY; XDG_CACHE_HOME=/c XDG_STATE_HOME=/s exec "$@""#
        try folder.write(Data("cache-dir = \"/mine\"\n".utf8), to: "tondo.toml")
        let named = try Tondo.run("config", "show", "--config", "tondo.toml", in: folder, shell: shell)
        #expect(named.lines.contains { $0.hasPrefix("cache-dir = \"/mine\" ") })
        #expect(!named.lines.contains { $0.hasPrefix("# cache-dir") })
        #expect(named.lines.contains { $0.hasPrefix("# token-file = \"/s/tondo/token\" ") })
        let built = try Tondo.run("config", "show", "--json", "--config", "/dev/null", in: folder, shell: shell)
        let values = try #require(try built.json().first?["settings"] as? [[String: String]])
        #expect(values.contains(["setting": "cache-dir", "value": "\"/c/tondo\"", "origin": "built in"]))
    }

    @Test func `What is shown is a settings file again`() throws {
        try folder.write(Data("jobs = 2\nhosts = [\"a.example\"]\n[styles.strip]\nsize = 48\n".utf8), to: "tondo.toml")
        let shown = try Tondo.run("config", "show", "--config", "tondo.toml", in: folder)
        try folder.write(shown.output, to: "again.toml")
        let again = try Tondo.run("config", "check", "--config", "again.toml", in: folder)
        #expect(again.status == 0, "\(again.error)")
    }

    @Test func `Scripts get problems and values as JSON`() throws {
        try folder.write(Data("jobs = 2\nevents = 0\n".utf8), to: "tondo.toml")
        let outcome = try Tondo.run("config", "show", "--json", "--config", "tondo.toml", in: folder)
        #expect(outcome.status == 78)
        let object = try #require(try outcome.json().first)
        let problems = try #require(object["problems"] as? [[String: Any]])
        #expect(problems.map { $0["line"] as? Int } == [2])
        let values = try #require(object["settings"] as? [[String: String]])
        #expect(values.contains(["setting": "jobs", "value": "2", "origin": "tondo.toml:1"]))
    }

    @Test func `Problems are reported in the order of the file`() throws {
        let text = "jobs = 2\nlog-level = \"loud\"\nlisten = [\"x\"]\njobs2 = 1\n"
        try folder.write(Data(text.utf8), to: "odd.toml")
        let outcome = try Tondo.run("config", "check", "--config", "odd.toml", "--json", in: folder)
        let problems = try #require(try outcome.json().first?["problems"] as? [[String: Any]])
        #expect(problems.map { $0["line"] as? Int } == [2, 3, 4])
    }

    @Test func `The example is right`() throws {
        try folder.add("assets/tondo.toml", as: "tondo.toml")
        let outcome = try Tondo.run("config", "check", "--config", "tondo.toml", in: folder)
        #expect(outcome.status == 0, "\(outcome.error)")
    }
}
