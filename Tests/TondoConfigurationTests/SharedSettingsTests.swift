import Testing
import TondoRedis
import TondoTestSupport

@testable import TondoConfiguration

@Suite struct SharedSettingsTests {
    private func read(_ text: String, _ environment: [String: String] = [:]) -> ConfigurationSource.Reading {
        ConfigurationSource(file: nil, environment: environment).read(
            ConfigurationFile(name: "t.toml", text: text), variables: environment)
    }

    @Test func `Without the table there is no Redis`() throws {
        let shared = try read("").configuration.shared()
        #expect(shared.avatars == nil && shared.streams == nil)
    }

    @Test func `The table names both, with lines, and what is shown can be read again`() throws {
        let text = """
            jobs = 1
            [shared]
            avatars = "unix:/run/redis-avatars/redis.sock"
            streams = "tcp:localhost:6380"
            database = 2
            """
        let configuration = read(text).configuration
        let lines = configuration.written.map { "\($0) = \($1.value) # \($1.origin)" }
        #expect(lines.contains(#"shared.avatars = "unix:/run/redis-avatars/redis.sock" # t.toml:3"#))
        let shared = try configuration.shared()
        #expect(shared.avatars?.description == "unix:/run/redis-avatars/redis.sock")
        #expect(shared.streams?.description == "tcp:127.0.0.1:6380" && shared.avatars?.database == 2)
        #expect(shared.roles(of: try #require(shared.avatars)) == [.cache])
        let again = read(configuration.written.map { "\($0) = \($1.value)" }.joined(separator: "\n"))
        #expect(
            again.problems.isEmpty
                && again.configuration.sharedAvatars.value
                    == shared.avatars.map { address in
                        var address = address
                        address.database = 0
                        return address
                    }
        )
    }

    @Test func `One instance has both roles, whatever else differs`() throws {
        let shared = try read("shared.avatars = \"unix:/a\"\nshared.streams = \"unix:/a\"").configuration.shared()
        #expect(shared.roles(of: try #require(shared.avatars)) == [.cache, .streams])
    }

    @Test func `Variables set it, too, and a new one takes effect at the next start`() {
        let reading = read("", ["TONDO_SHARED_AVATARS": "unix:/a"])
        #expect(reading.configuration.sharedAvatars.value?.description == "unix:/a" && reading.unknown.isEmpty)
        #expect(reading.configuration.namesNeedingRestart(against: .builtIn) == ["shared.avatars"])
    }

    @Test(arguments: [
        ("[shared]\navatars = \"redis://h\"", "t.toml:2: shared.avatars must be unix:/PATH or tcp:ADDRESS:PORT"),
        ("[shared]\navatars = \"tcp:10.0.0.1:6379\"", "t.toml:2: shared.avatars must be"),
        ("[shared]\navatars = 1", "t.toml:2: shared.avatars must be a string"),
        ("[shared]\n\nredis = 1", "t.toml:3: unknown setting 'shared.redis'"),
        ("shared = 1", "t.toml:1: shared is a table: [shared]"),
        ("[shared]\ndatabase = -1", "t.toml:2: shared.database must be 0 to"),
    ])
    func `A problem is reported with its line`(text: String, problem: String) {
        #expect(read(text).problems.first.map { "\($0)" }?.hasPrefix(problem) == true)
    }

    @Test func `The password is in a file of the user alone`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("secret\n", to: "password")
        let text = "[shared]\navatars = \"unix:/a\"\nuser = \"tondo\"\npassword-file = \"\(file)\""
        let address = try #require(try read(text).configuration.shared().avatars)
        #expect(address.user == "tondo" && address.password == "secret")
        try folder.write("secret\n", to: "password", mode: 0o640)
        let exposed = #expect(throws: SettingsProblem.self) { try read(text).configuration.shared() }
        #expect(exposed?.description.hasPrefix("t.toml:4: ") == true && exposed?.reason.contains("0600") == true)
        try folder.write("two words\n", to: "password")
        #expect(throws: SettingsProblem.self) { try read(text).configuration.shared() }
        try folder.remove("password")
        #expect(throws: SettingsProblem.self) { try read(text).configuration.shared() }
    }

    @Test func `A user without a password is an error`() {
        let text = "[shared]\navatars = \"unix:/a\"\nuser = \"tondo\""
        #expect(throws: SettingsProblem.self) { try read(text).configuration.shared() }
    }
}
