import Foundation
import Glibc
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

@Suite(.blocking) struct SyncProcessTests {
    private static let cards = 40

    private static func book() throws -> FakeAddressBook {
        let book = try FakeAddressBook()
        for number in 0..<cards { book.put("c\(number).vcf") }
        return book
    }

    @Test
    func `killed at any moment, the next run converges`() throws {
        let book = try Self.book()
        let whole = try MirrorTrial(book.url)
        var points = try KillPoints {
            let (status, text) = try SyncProcess(whole).finish()
            #expect(status == 0, "\(text)")
        }
        for point in 0..<KillPoints.count {
            let trial = try MirrorTrial(book.url)
            // A file of another program with the name of a card.
            try trial.folder.write("foreign", to: "work/cards/uid-c0.vcf.vcf")
            points.kill(try SyncProcess(trial), at: point)
            // Whatever has a name is whole.
            for name in try trial.cards() where name != "uid-c0.vcf.vcf" {
                #expect(try trial.text(name).hasSuffix("END:VCARD\n"), "point \(point)")
            }
            let result = trial.run()
            #expect(result.error == nil, "point \(point)")
            #expect(try trial.cards().count == Self.cards + 1, "point \(point)")
            #expect(try trial.text("uid-c0.vcf.vcf") == "foreign")
            #expect(try trial.folder.names(in: "work/tmp").isEmpty)
        }
    }

    @Test
    func `killed while a second state is written, the mirror is the old or the new one`() throws {
        let book = try Self.book()
        let trial = try MirrorTrial(book.url)
        trial.run()
        for point in 0..<KillPoints.count {
            for number in 0..<10 {
                book.put("c\(number).vcf", FakeAddressBook.card("c\(number).vcf", note: "\(point)"))
            }
            let process = try SyncProcess(trial)
            usleep(UInt32(2_000 * point))
            process.kill(SIGKILL)
            _ = process.finish()
            #expect(trial.run().error == nil)
            #expect(try trial.cards().count == Self.cards)
            #expect(try trial.text("uid-c3.vcf.vcf").contains("NOTE:\(point)\n"))
        }
    }

    @Test
    func `the secret is in no argument, environment, output or file`() throws {
        let book = try Self.book()
        let seen = Locked("")
        let running = Locked(pid_t(0))
        book.answer { request in
            let id = running.withLock { $0 }
            if id != 0 { seen.withLock { $0 += SyncProcess.visible(id) } }
            return request.headers["authorization"] == nil ? ScriptedServer.Reply(401) : nil
        }
        var trial = try MirrorTrial(book.url)
        trial.source.user = "ada"
        trial.source.secret.file = try trial.folder.write("s3cret!word\n", to: "secret")
        let process = try SyncProcess(trial) { $0.isJSON = true }
        running.withLock { $0 = process.id }
        let (status, text) = process.finish()
        #expect(status == 0, "\(text)")
        let encoded = Data("ada:s3cret!word".utf8).base64EncodedString()
        var all = text + seen.withLock { $0 }
        for file in try trial.folder.files() where file != "secret" {
            all += String(decoding: try trial.folder.bytes(file), as: UTF8.self)
        }
        #expect(!all.contains("s3cret!word") && !all.contains(encoded))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends a run soon, and leaves nothing half done`(signal: Int32) throws {
        let book = try Self.book()
        let gate = Gate()
        book.answer { request in
            if request.body.contains("multiget") { gate.pass() }
            return nil
        }
        let trial = try MirrorTrial(book.url)
        let process = try SyncProcess(trial)
        while !book.server.requests.contains(where: { $0.body.contains("multiget") }) { usleep(10_000) }
        process.kill(signal)
        let (status, text) = process.finish()
        gate.open()
        #expect(status == 130)
        #expect(text.contains("interrupted"))
        #expect(try trial.folder.names(in: "work/tmp").isEmpty)
    }

    /// So many that two connections fetch them.
    private static func largeBook() throws -> FakeAddressBook {
        let book = try FakeAddressBook()
        for number in 0..<400 { book.put("c\(number).vcf") }
        return book
    }

    @Test
    func `a signal ends both connections of a run`() throws {
        let book = try Self.largeBook()
        let (gate, both) = (Gate(), Gate())
        let held = Locked(Set<Int>())
        book.answer { request in
            guard request.body.contains("multiget"), !request.body.contains("/c0.vcf<") else { return nil }
            let count = held.withLock { held in
                held.insert(request.connection)
                return held.count
            }
            if count == 2 { both.open() }
            gate.pass()
            return nil
        }
        let trial = try MirrorTrial(book.url)
        let process = try SyncProcess(trial)
        #expect(both.pass())
        process.kill(SIGTERM)
        let (status, text) = process.finish()
        gate.open()
        #expect(status == 130 && text.contains("interrupted"), "\(text)")
        #expect(try trial.folder.names(in: "work/tmp").isEmpty)
        #expect(try trial.cards().count >= 25)
    }

    @Test(arguments: [2, 3, 4, 5])
    func `killed while two connections fetch, the next run converges`(request: Int) throws {
        let book = try Self.largeBook()
        let (seen, running, started) = (Locked(0), Locked(pid_t(0)), Gate())
        book.answer { current in
            guard current.body.contains("multiget") else { return nil }
            let number = seen.withLock { seen in
                seen += 1
                return seen
            }
            if number == request, started.pass() { kill(running.withLock { $0 }, SIGKILL) }
            return nil
        }
        let trial = try MirrorTrial(book.url)
        let process = try SyncProcess(trial)
        running.withLock { $0 = process.id }
        started.open()
        #expect(process.finish().status != 0)
        book.answer { _ in nil }
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 400)
        #expect(try trial.folder.names(in: "work/tmp").isEmpty)
    }

    @Test
    func `no proxy of the environment is used`() throws {
        let book = try Self.book()
        let proxy = try ScriptedServer { _ in ScriptedServer.Reply(500) }
        let names = ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"]
        let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, proxy.url) })
        #expect(try SyncProcess(try MirrorTrial(book.url), variables: variables).finish().status == 0)
        #expect(proxy.requests.isEmpty)
    }

    @Test
    func `two processes do not overlap`() throws {
        let book = try Self.book()
        let trial = try MirrorTrial(book.url)
        let mirror = try MirrorFolder(layout: trial.layout)
        let (status, text) = try SyncProcess(trial).finish()
        #expect(status == 1)
        #expect(text.contains("another process"))
        withExtendedLifetime(mirror) {}
    }

    @Test
    func `a program without an order says what starts it`() throws {
        let result = try ShellCommand.run(try BuiltProgram.path("tondo-sync"))
        #expect(result.status == 64)
        #expect(result.output.contains("tondo sync"))
    }
}
