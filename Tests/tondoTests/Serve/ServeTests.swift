import Foundation
import Glibc
import NIOHTTP1
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ServeTests {
    @Test func `A service is ready once it listens and every book is counted, and then reports its progress`() throws {
        let served = try ServedBook((0..<40).map { "p\($0)" })
        let running = try served.start()
        let ready = try served.manager.wait(for: "READY=1")
        #expect(served.manager.messages.count == 1)
        #expect(ready.contains(" of 40 contacts, ") || ready.contains("=40 contacts, "))
        try served.manager.wait(for: "STATUS=40 contacts, 80 avatars\n")
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    @Test func `Requests on the free port, or on the socket, get responses`() throws {
        let served = try ServedBook()
        let running = try served.serve()
        let addresses = try running.addresses()
        #expect(addresses.count == 2)
        #expect(addresses[1] == "unix:s.sock")
        for address in [try #require(ServiceAddress(url: addresses[0])), served.socket] {
            let client = try ServiceClient(address: address)
            #expect(try client.get("/nothing/here").status == 404)
            #expect(try client.get("/nothing/here").head.headers["content-type"] == ["application/problem+json"])
        }
    }

    @Test func `A watched service gives signs of life`() throws {
        let served = try ServedBook()
        let running = try served.serve(variables: "WATCHDOG_USEC=100000")
        for _ in 0..<3 { try served.manager.wait(for: "WATCHDOG=1") }
        running.signal(SIGTERM)
        try served.manager.wait(for: "STOPPING=1")
        #expect(try running.finish().status == 0)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `A signal ends it with 0 while connections are open, and the cache is whole`(signal: Int32) throws {
        let served = try ServedBook()
        let running = try served.serve()
        let (active, idle) = (try ServiceClient(address: served.socket), try ServiceClient(address: served.socket))
        #expect(try active.get("/nothing").status == 404)
        try served.manager.wait(for: "STATUS=2 contacts, 4 avatars")
        running.signal(signal)
        let outcome = try running.finish()
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(throws: ClientError.self) { try active.get("/nothing") }
        #expect(throws: ClientError.self) { try idle.get("/nothing") }
        #expect(!served.folder.exists("s.sock"))
        let verified = try Tondo.run("cache", "verify", "--cache-dir", "cache", in: served.folder)
        #expect(verified.status == 0, "\(verified.text)")
    }

    @Test func `A port that is taken ends it with 69, and nothing is made of a book`() throws {
        let served = try ServedBook()
        let running = try served.serve()
        let second = try RunningTondo(
            ["serve", "book", "--listen", "127.0.0.1:0", "--socket", "s.sock", "--cache-dir", "other"],
            in: served.folder
        ).finish()
        #expect(second.status == 69)
        #expect(second.error.contains("tondo: s.sock: another process listens here\n"))
        #expect(try ServiceClient(address: served.socket).get("/").status >= 200)
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    @Test func `An unreadable book is reported, and the others are served`() throws {
        let served = try ServedBook()
        let running = try served.serve(["book", "nowhere"])
        try running.wait(forError: "nowhere: cannot be read")
        try served.manager.wait(for: "STATUS=2 contacts, 4 avatars, 1 book unreadable")
    }

    @Test func `A face model that is of no use is reported in the log, the jobs and the status`() throws {
        let served = try ServedBook()
        let running = try served.serve(variables: "TONDO_FACE_MODEL=/dev/null")
        try running.wait(forError: "avatars show the centre of photos, not the faces: /dev/null: not a regular file")
        let response = try ServiceClient(address: served.socket).get("/v1/jobs")
        #expect(String(decoding: response.body, as: UTF8.self).contains(#""faces":"damaged""#))
        let status = try Tondo.run("status", "--socket", "s.sock", in: served.folder)
        #expect(status.text.contains("without faces: the face model is damaged"), "\(status.text)")
    }

    @Test func `Only the journal gets priorities`() throws {
        let served = try ServedBook()
        let running = try served.start(
            ["nowhere", "--wait-for-books"], variables: "JOURNAL_STREAM=$(stat -L -c %d:%i /dev/fd/2)")
        try running.wait(forError: "<3>nowhere: cannot be read")
        running.signal(SIGTERM)
        #expect(try running.finish().error.contains("<6>ended\n"))
        let other = try served.start(["nowhere"], variables: "JOURNAL_STREAM=1:2")
        try other.wait(forError: "tondo: error: nowhere: cannot be read")
    }

    private static let activate = "/usr/bin/systemd-socket-activate"

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: activate), "systemd-socket-activate is not installed"))
    func `A socket that was handed over is the only one, and its first request is answered`() throws {
        let served = try ServedBook()
        let state = #"-E XDG_STATE_HOME="$PWD/state""#
        let running = try RunningTondo(
            ["serve", "book", "--cache-dir", "cache", "--json"], in: served.folder,
            shell: #"exec \#(Self.activate) -l "$PWD/s.sock" \#(state) "$@""#)
        try running.wait(forError: "Listening on")
        #expect(try ServiceClient(address: served.socket).get("/nothing").status == 404)
        #expect(try running.addresses() == ["unix:\(served.folder.pathString)/s.sock"])
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
        // It is not ours to remove.
        #expect(served.folder.exists("s.sock"))
    }
}
