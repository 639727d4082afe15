import SystemPackage
import Testing
import TondoAvatars
import TondoEndpoints
import TondoImage

@testable import TondoConfiguration

@Suite struct ConfigurationTests {
    private func read(
        _ text: String, _ environment: [String: String] = [:], _ flags: [SettingFlag?] = []
    ) -> ConfigurationSource.Reading {
        ConfigurationSource(file: nil, flags: flags.compactMap(\.self), environment: environment).read(
            ConfigurationFile(name: "t.toml", text: text), variables: environment)
    }

    @Test func `Flags come before the environment, that before the file, and that before what is built in`() {
        let text = "jobs = 1\nconnections = 10\nevents = 20\n"
        let environment = ["TONDO_CONNECTIONS": "11", "TONDO_EVENTS": "21", "PATH": "/bin"]
        let reading = read(text, environment, [ServiceConfiguration.builtIn.events.flag("22")])
        let settings = reading.configuration
        #expect(reading.problems.isEmpty && reading.unknown.isEmpty)
        #expect(settings.jobs.entry == .init(value: .number(1), origin: .file("t.toml", line: 1)))
        #expect(settings.connections.entry == .init(value: .number(11), origin: .environment("TONDO_CONNECTIONS")))
        #expect(settings.events.entry == .init(value: .number(22), origin: .flag("events")))
        #expect(settings.listen.entry == .init(value: .list(["127.0.0.1:7380"]), origin: .builtIn))
        #expect([settings.jobs.value, settings.connections.value, settings.events.value] == [1, 11, 22])
        #expect(settings.listen.value == [.tcp(host: "127.0.0.1", port: 7380)])
        #expect(settings.tokenFile.value == nil && !settings.isRound.value)
    }

    @Test func `A style of the file is the style that the same words of a command describe`() {
        let reading = read("[styles.a]\nsize = 48\nring-width = 1.5\nring-gap = 2\n[styles.b]\nring-color = \"red\"\n")
        let written = reading.configuration.written.map { "\($0) = \($1.value)" }
        #expect(reading.problems.isEmpty && written.contains("styles.a.ring-width = 1.5"))
        #expect(written.contains("styles.a.ring-gap = 2"))
        let styles = reading.configuration.avatarStyles
        #expect(styles["a"]?.style == Style(fields: ["size": "48", "ring-width": "1.5", "ring-gap": "2"]))
        #expect(styles["b"]?.style == Style(size: 96, ring: .suited(to: 96, color: RGBA(red: 255, green: 0, blue: 0))))
    }

    @Test(arguments: [["viewer,contacts"], ["viewer", "contacts"], ["viewer, contacts"]])
    func `A flag takes several areas, with commas or repeated`(_ words: [String]) {
        let reading = read("", [:], [ServiceConfiguration.builtIn.openAreas.flag(words)])
        #expect(reading.problems.isEmpty && reading.configuration.openAreas.value == [.viewer, .contacts])
    }

    @Test func `A book may have a comma in its name`() {
        let reading = read("", [:], [ServiceConfiguration.builtIn.books.flag(["a,b", "c"])])
        #expect(reading.configuration.books.value == ["a,b", "c"])
    }

    @Test func `Styles have names and fields with lines`() {
        let reading = read(
            """
            books = ["a.vcf", "b"]

            [styles.strip]
            size = 48
            ring-color = "navy"
            """)
        let settings = reading.configuration
        #expect(reading.problems.isEmpty && settings.books.value == ["a.vcf", "b"])
        let entries = settings.styles["strip"]?.entries ?? []
        #expect(entries.map { "\($0.name) = \($0.entry.value)" } == ["size = 48", #"ring-color = "navy""#])
        #expect(settings.avatarStyles["strip"]?.size == 48)
        let lines = settings.written.map { "\($0) = \($1.value) # \($1.origin)" }
        #expect(lines.contains("styles.strip.size = 48 # t.toml:4"))
        #expect(lines.contains(#"listen = ["127.0.0.1:7380"] # built in"#))
    }

    @Test(arguments: [
        ("jobs = 1\njobs = 2", "t.toml:2: "), ("a b = 1", "t.toml:1: "), ("\n\nx = ", "t.toml:3: "),
        ("\nbook = []", "t.toml:2: unknown setting 'book'; did you mean 'books'?"),
        ("jobs = 500", "t.toml:1: jobs must be 0 to 256, not 500"),
        ("jobs = \"2\"", "t.toml:1: jobs must be a whole number"),
        ("books = [1]", "t.toml:1: books must be a list"), ("books = 1", "t.toml:1: books must be a list"),
        ("round = 1", "t.toml:1: round must be true or false"),
        ("cache-max-size = \"1 parsec\"", "t.toml:1: cache-max-size must be a number of bytes"),
        ("cache-max-size = 0", "t.toml:1: cache-max-size must be 1 byte or more, not 0"),
        ("cache-max-size = \"0.0001 kB\"", "t.toml:1: cache-max-size must be 1 byte or more, not 0"),
        ("events-max-size = \"0MB\"", "t.toml:1: events-max-size must be 1 byte or more, not 0"),
        ("log-level = \"loud\"", "t.toml:1: log-level must be one of"), ("socket = \"\"", "t.toml:1: socket is empty"),
        ("[styles.a]\nsize = 2000", "t.toml:2: size must be 1 to 1024, not 2000"),
        ("[styles.a]\nring-width = 512.5", "t.toml:2: ring-width must be 0 to 512, not 512.5"),
        ("[styles.a]\nring-gap = nan", "t.toml:2: ring-gap must be 0 to 512, not nan"),
        ("[styles.a]\nring-gap = \"1\"", "t.toml:2: ring-gap must be a number"),
        ("[styles.a]\n\ncolour = 1", "t.toml:3: a style has no 'colour'"),
        ("[styles.\"A b\"]", "t.toml:1: a style is a table"), ("styles = 1", "t.toml:1: styles are tables"),
    ])
    func `A problem is reported with its line`(text: String, problem: String) {
        let problems = read(text).problems.map(\.description)
        #expect(problems.count == 1 && problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test func `All problems are reported at once, and valid values are applied`() {
        let reading = read(
            "jobs = 999\nevents = 5\nx = 1", ["TONDO_ROUND": "maybe", "TONDO_X": "1"],
            [ServiceConfiguration.builtIn.connections.flag("no")])
        let (settings, problems) = (reading.configuration, reading.problems.map(\.description))
        #expect(problems.count == 4 && settings.events.value == 5 && settings.jobs.value == 0)
        #expect(problems.contains("$TONDO_ROUND: round must be true or false, not 'maybe'"))
        #expect(reading.unknown == ["TONDO_X"])
        #expect(problems.contains("--connections: connections must be a whole number, not 'no'"))
    }

    @Test func `Problems are in the order of the file, then those of variables and flags`() {
        let reading = read(
            "public = [\"all\"]\nlisten = [\"x\"]\njobs = 999", ["TONDO_HOSTS": "a b"],
            [ServiceConfiguration.builtIn.events.flag("0")])
        let origins = reading.problems.map { $0.origin.description }
        #expect(origins == ["t.toml:1", "t.toml:2", "t.toml:3", "--events", "$TONDO_HOSTS"])
    }

    @Test(arguments: [("1GiB", 1 << 30), ("500 MB", 500_000_000), ("1.5 GiB", 3 << 29), ("1", 1), ("12kb", 12_000)])
    func `Bytes have units`(text: String, bytes: Int) {
        #expect(read("", ["TONDO_CACHE_MAX_SIZE": text]).configuration.cacheSize.value == bytes)
    }

    @Test func `What is shown can be read again`() {
        let written = read("token-file = \"a\\\"\\u0001\\u2028b\"\nbooks = [\"x\"]").configuration.written
        let text = written.map { "\($0) = \($1.value)" }
        #expect(text.contains(#"token-file = "a\"\u0001\u2028b""#))
        let again = read(text.joined(separator: "\n"))
        #expect(again.problems.isEmpty && again.configuration.books.value == ["x"])
        #expect(again.configuration.tokenFile.value == "a\"\u{1}\u{2028}b")
    }

    @Test func `The setting privacy, which never did anything, is reported with its line and does no harm`() {
        let reading = read("jobs = 3\nprivacy = true\n")
        #expect(reading.problems.isEmpty && reading.configuration.jobs.value == 3)
        #expect(
            reading.obsolete.map(\.description)
                == ["t.toml:2: the setting 'privacy' has no effect and was removed; delete the line"])
    }

    @Test func `Defaults that are no constants come from the environment and the processors`() {
        let user = read("", ["HOME": "/h", "XDG_STATE_HOME": "/s"]).configuration
        #expect(user.standardCacheFolder == "/h/.cache/tondo" && user.standardTokenFile == "/s/tondo/token")
        let lines = user.standardPaths.map { "\($0) = \($1.value)" }
        #expect(
            lines == [
                #"cache-dir = "/h/.cache/tondo""#, #"token-file = "/s/tondo/token""#,
                #"sync-dir = "/s/tondo/sync""#,
            ])
        let service = read("", ["HOME": "/h", "CACHE_DIRECTORY": "/c:/d", "STATE_DIRECTORY": "/s"]).configuration
        #expect(service.standardCacheFolder == "/c" && service.standardTokenFile == "/s/token")
        #expect(user.workers > 0 && read("jobs = 3").configuration.workers == 3)
        #expect(user.preparedStyles.map(\.name) == ["96", "96@2x"])
    }

    @Test(arguments: [("", false), (#"listen = [":80"]"#, true), (#"hosts = ["a"]"#, true), ("public = []", false)])
    func `A service is exposed by an address, a host name or an open area`(text: String, isExposed: Bool) {
        #expect(read(text).configuration.isExposed == isExposed)
    }

    @Test func `Settings that need a restart are those that differ in their meaning`() {
        let (old, new) = (read("listen = [\":80\"]"), read("listen = [\"[::]:80\"]\njobs = 2\nbooks = [\"b\"]"))
        #expect(new.configuration.namesNeedingRestart(against: old.configuration) == ["jobs"])
    }

    @Test func `A tilde is the home of the user`() {
        let settings = read("books = [\"~/b\", \"~c\"]\nsocket = \"~/s\"", ["HOME": "/h"]).configuration
        #expect(settings.books.value == ["/h/b", "~c"] && settings.socket.value == .unix(path: "/h/s"))
        #expect(settings.written.first?.entry.value == .list(["~/b", "~c"]))
    }

    @Test(arguments: [".example.org", "*.example.org", "*", "a b"])
    func `A host is one name, and not all below a domain`(host: String) {
        let reading = read("hosts = [\"a.example.org\", \"\(host)\"]")
        #expect(reading.problems.count == 1 && reading.problems.first?.reason.contains("'\(host)'") == true)
    }
}
