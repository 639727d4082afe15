import Testing

@testable import TondoSettings

@Suite struct SettingsTests {
    private func read(
        _ text: String, _ environment: [String: String] = [:], _ flags: [(SettingKey, String)] = []
    ) -> (settings: Settings, problems: [String]) {
        let flags = flags.map { (key: $0.0, value: $0.1) }
        let (settings, problems) = Settings.read(file: ("t.toml", text), environment: environment, flags: flags)
        return (settings, problems.map(\.description))
    }

    @Test func `Flags come before the environment, that before the file, and that before what is built in`() {
        let text = "jobs = 1\nconnections = 10\nevents = 20\n"
        let environment = ["TONDO_CONNECTIONS": "11", "TONDO_EVENTS": "21", "PATH": "/bin"]
        let (settings, problems) = read(text, environment, [(.events, "22")])
        #expect(problems.isEmpty)
        #expect(settings.entries[.jobs] == .init(value: .number(1), origin: .file("t.toml", line: 1)))
        #expect(settings.entries[.connections] == .init(value: .number(11), origin: .environment("TONDO_CONNECTIONS")))
        #expect(settings.entries[.events] == .init(value: .number(22), origin: .flag("events")))
        #expect(settings.entries[.listen] == .init(value: .list(["127.0.0.1:7380"]), origin: .builtIn))
        #expect(settings.text(.tokenFile) == nil && !settings.flag(.round))
    }

    @Test func `Styles have names and fields with lines`() {
        let (settings, problems) = read(
            """
            books = ["a.vcf", "b"]

            [styles.strip]
            size = 48
            ring-color = "navy"
            """)
        #expect(problems.isEmpty && settings.list(.books) == ["a.vcf", "b"])
        #expect(settings.styles["strip"]?.number(.size) == 48)
        #expect(settings.styles["strip"]?.text(.ringColor) == "navy")
        #expect(settings.lines.contains { $0.text == "styles.strip.size = 48" && $0.origin.description == "t.toml:4" })
        #expect(settings.lines.contains { $0.text == #"listen = ["127.0.0.1:7380"]"# && $0.origin == .builtIn })
    }

    @Test(arguments: [
        ("jobs = 1\njobs = 2", "t.toml:2: "), ("a b = 1", "t.toml:1: "), ("\n\nx = ", "t.toml:3: "),
        ("\nbook = []", "t.toml:2: unknown setting 'book'"),
        ("jobs = 500", "t.toml:1: jobs must be 0 to 256, not 500"),
        ("jobs = \"2\"", "t.toml:1: jobs must be a whole number"),
        ("books = [1]", "t.toml:1: books must be a list"), ("round = 1", "t.toml:1: round must be true or false"),
        ("cache-max-size = \"1 parsec\"", "t.toml:1: cache-max-size must be a number of bytes"),
        ("log-level = \"loud\"", "t.toml:1: log-level must be one of"), ("socket = \"\"", "t.toml:1: socket is empty"),
        ("[styles.a]\nsize = 2000", "t.toml:2: size must be 1 to 1024, not 2000"),
        ("[styles.a]\n\ncolour = 1", "t.toml:3: a style has no 'colour'"),
        ("[styles.\"A b\"]", "t.toml:1: a style is a table"), ("styles = 1", "t.toml:1: styles are tables"),
    ])
    func `A problem is reported with its line`(text: String, problem: String) {
        let (_, problems) = read(text)
        #expect(problems.count == 1 && problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test func `All problems are reported at once, and valid values are applied`() {
        let (settings, problems) = read(
            "jobs = 999\nevents = 5\nx = 1", ["TONDO_ROUND": "maybe", "TONDO_X": "1"], [(.connections, "no")])
        #expect(problems.count == 5 && settings.number(.events) == 5 && settings.number(.jobs) == 0)
        #expect(problems.contains("$TONDO_ROUND: round must be true or false, not 'maybe'"))
        #expect(problems.contains("$TONDO_X: unknown setting"))
        #expect(problems.contains("--connections: connections must be a whole number, not 'no'"))
    }

    @Test(arguments: [("1GiB", 1 << 30), ("500 MB", 500_000_000), ("1.5 GiB", 3 << 29), ("0", 0), ("12kb", 12_000)])
    func `Bytes have units`(text: String, bytes: Int) {
        #expect(read("", ["TONDO_CACHE_MAX_SIZE": text]).settings.number(.cacheSize) == bytes)
    }

    @Test func `What is shown can be read again`() {
        let (settings, _) = read("token-file = \"a\\\"\\u0001b\"\nbooks = [\"x\"]")
        let text = settings.lines.map(\.text).joined(separator: "\n")
        let (again, problems) = read(text)
        #expect(problems.isEmpty && again.text(.tokenFile) == "a\"\u{1}b" && again.list(.books) == ["x"])
    }

    @Test func `The setting privacy, which never did anything, is reported with its line and does no harm`() {
        let (settings, problems) = read("jobs = 3\nprivacy = true\n")
        #expect(problems.isEmpty && settings.number(.jobs) == 3)
        #expect(
            settings.obsolete.map(\.description)
                == ["t.toml:2: the setting 'privacy' has no effect and was removed; delete the line"])
    }
}
