import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoConfiguration

/// The file of sources beside the configuration.
@Suite struct SourcesFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ name: String? = "tondo.toml") -> ConfigurationSource.Reading {
        let environment = ["HOME": folder.pathString, "XDG_CONFIG_HOME": folder.pathString]
        return ConfigurationSource(file: name.map { folder.pathString + "/" + $0 }, environment: environment).read()
    }

    private static let work = "[sync.work]\nurl = \"https://dav.example.org/\"\n"

    @Test func `Settings that are appended to the configuration stay settings of the service`() throws {
        _ = try folder.write("books = [\"/b\"]\n", to: "tondo.toml")
        _ = try folder.write(SourcesFile.head + Self.work, to: "tondo.sync.toml")
        _ = try folder.write("books = [\"/b\"]\nhosts = [\"avatars.example.org\"]\n", to: "tondo.toml")
        let reading = read()
        #expect(reading.problems.isEmpty && reading.obsolete.isEmpty)
        #expect(reading.configuration.hosts.value == ["avatars.example.org"])
        #expect(reading.configuration.syncSources.map(\.name) == ["work"])
    }

    @Test func `Sources may stand in both files, and alone`() throws {
        _ = try folder.write(Self.work, to: "tondo.sync.toml")
        #expect(read().problems.isEmpty && read().configuration.syncSources.map(\.name) == ["work"])
        _ = try folder.write(Self.work.replacing("work", with: "home"), to: "tondo.toml")
        #expect(read().configuration.syncSources.map(\.name) == ["home", "work"])
        #expect(read("other.toml").problems.count == 1)
    }

    @Test func `The user's sources count as the user's configuration`() throws {
        _ = try folder.write(Self.work, to: "tondo/tondo.sync.toml")
        #expect(read(nil).configuration.syncSources.map(\.name) == ["work"])
        #expect(read(nil).file == folder.pathString + "/tondo/tondo.toml")
    }

    @Test(arguments: [
        ("hosts = [\"a\"]\n" + work, "tondo.sync.toml:1: 'hosts' is no source"),
        ("[styles.a]\nsize = 1\n", "tondo.sync.toml:1: 'styles' is no source"),
        (work + "public = [\"viewer\"]\n", "tondo.sync.toml:3: a source has no 'public'"),
        ("[sync.home]\nurl = \"https://h/\"\n", "tondo.sync.toml:1: there is a source 'home' in"),
        ("[sync\n", "tondo.sync.toml:1: "),
    ])
    func `A problem is reported with its file, line and key`(_ text: String, _ problem: String) throws {
        _ = try folder.write("[sync.home]\nurl = \"https://dav.example.org/\"\n", to: "tondo.toml")
        _ = try folder.write(text, to: "tondo.sync.toml")
        let problems = read().problems.map { "\($0)" }
        #expect(problems.count == 1 && problems[0].hasPrefix(folder.pathString + "/" + problem), "\(problems)")
    }

    @Test(arguments: [
        ("[sync.work]", true), ("  [ sync . \"work\" ] # mine", true), ("# [sync.work]", false),
        ("[sync.works]", false),
        ("[sync.w]\nx = 1\n[sync.work]", true),
    ])
    func `A source is found in a text`(_ text: String, _ isThere: Bool) {
        #expect(SourcesFile.hasSource("work", in: text) == isThere)
    }

    @Test(arguments: [
        (SourcesFile.head + "\n" + work, SourcesFile.head), (work, ""),
        (work + "\n# mine\n[sync.home]\nurl = \"https://h/\"\n", "# mine\n[sync.home]\nurl = \"https://h/\"\n"),
        (
            "[sync.home]\nurl = \"https://h/\"\n\n# of the office\n" + work,
            "[sync.home]\nurl = \"https://h/\"\n"
        ),
        (
            "[sync.a]\nuser = \"a\"\n\n\(work)\n[sync.z]\nuser = \"z\"\n",
            "[sync.a]\nuser = \"a\"\n\n[sync.z]\nuser = \"z\"\n"
        ),
        (work + "photo-hosts = [\n  \"any\"\n]\n", ""),
    ])
    func `A source is taken out with its comment, and the others stay`(_ text: String, _ rest: String) {
        #expect(SourcesFile.removing("work", from: text) == rest)
    }

    @Test func `Nothing is taken out for a source that is not there`() {
        #expect(SourcesFile.removing("home", from: Self.work) == nil)
    }
}
