import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ServeEmptyTokenTests {
    private let served: ServedBook

    init() throws { served = try ServedBook() }

    @Test(arguments: [[], ["--token-file", "state/tondo/token"]])
    func `An empty token is replaced by one for its owner alone`(words: [String]) throws {
        try served.folder.write(Data(), to: "state/tondo/token")
        let running = try served.serve(["book"] + words)
        let token = String(decoding: try served.folder.data("state/tondo/token"), as: UTF8.self)
        #expect(token.contains(/^[0-9a-f]{64}\n$/))
        let path = served.folder.pathString + "/state/tondo/token"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try served.folder.files(below: "state/tondo") == ["event-ids", "token"])
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }

    @Test func `What beyond this machine is public is said at the start`() throws {
        let running = try served.serve(["book", "--host", "avatars.example.org", "--public", "contacts"])
        try running.wait(forError: "all other paths need the token")
        try running.wait(forError: "the setting public opens contacts without the token: /v1/contacts")
        running.signal(SIGTERM)
        #expect(try running.finish().status == 0)
    }
}
