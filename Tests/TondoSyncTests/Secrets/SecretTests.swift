import Glibc
import SystemPackage
import Testing
import TondoFiles
import TondoMirror
import TondoTestSupport

@testable import TondoSync

struct SecretTests {
    private let folder: TemporaryFolder
    private var source = SyncSource(name: "work", kind: .carddav, url: "https://dav.example.org/")

    init() throws { folder = try TemporaryFolder() }

    @Test
    func `a secret has no description that shows it`() throws {
        let secret = try #require(Secret("hunter2"))
        var dumped = ""
        dump(secret, to: &dumped)
        dump([secret], to: &dumped)
        let texts = [
            "\(secret)", "\([secret])", String(reflecting: secret), String(describing: Optional(secret)), dumped,
        ]
        #expect(texts.allSatisfy { !$0.contains("hunter2") })
        #expect(secret.reveal() == "hunter2")
    }

    @Test(arguments: ["", "a\nb", "a\u{0}b", "\u{7F}"])
    func `text that no request can carry is no secret`(text: String) { #expect(Secret(text) == nil) }

    @Test(arguments: [0o644, 0o640, 0o604, 0o666])
    func `a file that others can read is refused`(mode: Int) throws {
        var source = source
        source.secret.file = try folder.write("word\n", to: "secret", mode: mode)
        #expect(throws: SecretError.exposed(file: source.secret.file!)) {
            try SecretReader { _ in nil }.read(source)
        }
    }

    @Test
    func `a file gives its first line`() throws {
        var source = source
        source.secret.file = try folder.write("word with blanks\r\nmore\n", to: "secret")
        #expect(try SecretReader { _ in nil }.read(source).reveal() == "word with blanks")
    }

    @Test
    func `a credential of systemd is found by the name of the source`() throws {
        try folder.write("one\n", to: "work")
        try folder.write("two\n", to: "secrets_home")
        let reader = SecretReader { [path = folder.pathString] in $0 == "CREDENTIALS_DIRECTORY" ? path : nil }
        #expect(try reader.read(source).reveal() == "one")
        var home = source
        home.name = "home"
        #expect(try reader.read(home).reveal() == "two")
    }

    @Test
    func `a source without a secret says where it may be`() {
        #expect(throws: SecretError.none(source: "work")) { try SecretReader { _ in nil }.read(source) }
    }

    @Test
    func `a command can be interrupted, whatever thread starts it`() throws {
        var source = source
        source.secret.command = ["sed", "-n", "s/^SigBlk:.//p", "/proc/self/status"]
        var (blocked, before) = (sigset_t(), sigset_t())
        sigfillset(&blocked)
        pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(try SecretReader { _ in nil }.read(source).reveal() == "0000000000000000")
    }

    @Test
    func `a command prints the secret, and its failure is no secret`() throws {
        var source = source
        source.secret.command = ["sh", "-c", "echo word; echo more"]
        #expect(try SecretReader { _ in nil }.read(source).reveal() == "word")
        source.secret.command = ["sh", "-c", "echo word; exit 1"]
        let error = #expect(throws: SecretError.self) { try SecretReader { _ in nil }.read(source) }
        #expect(error.map { "\($0)".contains("word\n") } == false)
        source.secret.command = ["/nonexistent/program"]
        #expect(throws: SecretError.self) { try SecretReader { _ in nil }.read(source) }
    }

    @Test
    func `a byte order mark is no part of a secret`() throws {
        var source = source
        source.secret.file = try folder.write("\u{FEFF}word\r\n", to: "secret")
        #expect(try SecretReader { _ in nil }.read(source).reveal() == "word")
    }

    @Test
    func `a first line that is too long is refused and not cut`() throws {
        var source = source
        let longest = String(repeating: "x", count: 65_536)
        for end in ["", "\n", "\r\n", "\nmore\n"] {
            source.secret.file = try folder.write(longest + end, to: "secret")
            #expect(try SecretReader { _ in nil }.read(source).reveal() == longest)
        }
        for end in ["x", "x\n", "\rx\n", "é\n"] {
            source.secret.file = try folder.write(longest + end, to: "secret")
            #expect(throws: SecretError.malformed(origin: source.secret.file!)) {
                try SecretReader { _ in nil }.read(source)
            }
        }
    }

    /// On a slow machine the time ends before the output does: both are reported with the limit.
    @Test(arguments: ["exec >&-; exec sleep 86400", "exec sleep 86400"])
    func `a command that goes on running ends at the limit, whether its output is open or not`(script: String) throws {
        let error = #expect(throws: SecretError.self) {
            try SecretCommand.run(["sh", "-c", "echo word; \(script)"], within: .seconds(1))
        }
        #expect(error.map { "\($0)".hasSuffix("within 1 s") } == true)
    }

    @Test
    func `a command that prints too much is refused for that reason`() {
        #expect(throws: SecretError.command("sh", reason: "printed more than 64 kB")) {
            try SecretCommand.run(["sh", "-c", "head -c 100000 /dev/zero"])
        }
    }

    @Test
    func `an output that cannot be read is refused with the error of the system`() throws {
        let descriptor = try FileDescriptor.open(folder.path, .readOnly, options: .closeOnExec)
        defer { try? descriptor.close() }
        #expect(throws: ChildProgram.Failure.unreadable(.isDirectory)) {
            try ChildProgram.read(
                descriptor.rawValue, until: ContinuousClock.now + .seconds(600), most: 1 << 16)
        }
    }
}
