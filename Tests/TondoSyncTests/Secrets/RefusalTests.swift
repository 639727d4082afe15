import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// A user that a server refused is not sent again until something about it changes.
struct RefusalTests {
    private let server: ScriptedServer
    private let book: FakeAddressBook
    private var trial: MirrorTrial
    private let start = 1_000_000

    init() throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        let right = "Basic " + Data("ada:right".utf8).base64EncodedString()
        book.answer { $0.headers["authorization"] == right ? nil : ScriptedServer.Reply(401) }
        (self.book, server) = (book, book.server)
        trial = try MirrorTrial(book.url)
        trial.source.user = "ada"
        trial.source.secret.file = try trial.folder.write("wrong\n", to: "secret")
        #expect(trial.run(isManual: false, now: start).error?.code == "unauthorized")
        server.forget()
    }

    private func automatic(_ trial: MirrorTrial, after seconds: Int) -> SourceRun.Result {
        trial.run(isManual: false, now: start + seconds)
    }

    @Test(arguments: [60, 86_400, 400 * 86_400, -86_400])
    func `automatic runs do not ask again, however much time passes`(seconds: Int) {
        #expect(automatic(trial, after: seconds).isSkipped)
        #expect(server.requests.isEmpty)
    }

    @Test
    func `a run by hand asks`() {
        #expect(trial.run(isManual: true, now: start + 60).error?.code == "unauthorized")
        #expect(server.requests.count == 1)
        #expect(automatic(trial, after: 120).isSkipped)
    }

    @Test
    func `another secret is tried at once`() throws {
        try trial.folder.write("other\n", to: "secret")
        #expect(automatic(trial, after: 1).error?.code == "unauthorized")
        #expect(automatic(trial, after: 2).isSkipped)
        try trial.folder.write("right\n", to: "secret")
        #expect(automatic(trial, after: 3).error == nil)
        #expect(!automatic(trial, after: 4).isSkipped)
        #expect(try trial.cards().count == 1)
    }

    @Test
    func `another user or URL is tried at once`() {
        var other = trial
        other.source.user = "bob"
        #expect(automatic(other, after: 1).error?.code == "unauthorized")
        #expect(automatic(other, after: 2).isSkipped)
        // The first one is another one again.
        #expect(!automatic(trial, after: 3).isSkipped)
        other = trial
        other.source.url += "other/"
        #expect(!automatic(other, after: 4).isSkipped)
    }

    @Test
    func `a secret that cannot be read has not changed`() throws {
        try trial.folder.remove("secret")
        #expect(automatic(trial, after: 1).isSkipped)
        #expect(server.requests.isEmpty)
    }

    @Test
    func `what is remembered does not tell the secret`() throws {
        let file = "work/refused"
        #expect(try trial.folder.bytes(file).count == 5)
        let attributes = try FileManager.default.attributesOfItem(atPath: trial.folder.pathString + "/" + file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test
    func `a success ends it`() throws {
        try trial.folder.write("right\n", to: "secret")
        #expect(trial.run(now: start + 1).error == nil)
        #expect(!trial.folder.exists("work/refused"))
        // The same secret as before is not refused any more.
        try trial.folder.write("wrong\n", to: "secret")
        #expect(automatic(trial, after: 2).error?.code == "unauthorized")
    }
}
