import Glibc
import SystemPackage
import Testing
import TondoFiles
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// What `tondo sync add` writes, and what it leaves alone when it fails.
@Suite struct AccountSetupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var file: FilePath { folder.path.appending("tondo.sync.toml") }

    private func add(_ password: String) throws {
        var source = SyncSource(name: "work", kind: .carddav, url: "https://dav.example.org")
        source.user = "ada"
        let setup = AccountSetup(order: SyncOrder(action: .add, sources: [source], folder: folder.path))
        try setup.add(&source, secret: Secret(password), to: file, within: .zero)
    }

    private func text(_ name: String) throws -> String { String(decoding: try folder.bytes(name), as: UTF8.self) }

    /// What the folder holds now.
    private func contents() throws -> [String: String] {
        try Dictionary(uniqueKeysWithValues: folder.files().map { ($0, try text($0)) })
    }

    @Test
    func `a source and its password are added`() throws {
        try add("s3cret")
        #expect(try folder.files().sorted() == ["secrets/work", "tondo.sync.toml"])
        #expect(try text("secrets/work") == "s3cret\n" && text("tondo.sync.toml").contains("[sync.work]"))
    }

    @Test(arguments: [true, false])
    func `a file that another process has locked is an error, and nothing changes`(hasSources: Bool) throws {
        if hasSources {
            try folder.write("[sync.other]\nurl = \"https://dav.example.org\"\n", to: "tondo.sync.toml")
            try folder.write("theirs\n", to: "secrets/work")
        }
        let lock = try LockedFile(file)
        let before = try contents()
        let error = #expect(throws: SyncError.self) { try add("s3cret") }
        #expect(error.map { "\($0)" } == "another process is writing \(file)")
        #expect(try contents() == before)
        withExtendedLifetime(lock) {}
        if hasSources { #expect(before["secrets/work"] == "theirs\n") }
    }

    @Test
    func `an account that cannot be written leaves neither a password nor an empty file`() throws {
        // A folder in the place of the password.
        try folder.makeFolder("secrets/work")
        #expect(throws: (any Error).self) { try add("s3cret") }
        #expect(try folder.files().isEmpty)
    }

    @Test(arguments: [true, false])
    func `a password is as it was before when the sources cannot be written`(hasPassword: Bool) throws {
        if hasPassword { try folder.write("theirs\n", to: "secrets/work") }
        // No user can make a file beside the one at the end of this link.
        try folder.link("tondo.sync.toml", to: "/proc/version")
        #expect(throws: (any Error).self) { try add("s3cret") }
        #expect(folder.exists("secrets") == hasPassword)
        if hasPassword { #expect(try folder.names(in: "secrets") == ["work"] && text("secrets/work") == "theirs\n") }
    }
}
