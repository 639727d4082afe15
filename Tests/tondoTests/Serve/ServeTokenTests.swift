import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ServeTokenTests {
    private let served: ServedBook

    init() throws { served = try ServedBook() }

    private func mode(_ name: String) throws -> Int? {
        let path = served.folder.pathString + "/" + name
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `A token is made for its owner alone, and kept`() throws {
        var tokens: [Data] = []
        for _ in 0..<2 {
            let running = try served.serve()
            #expect(try mode("state/tondo/token") == 0o600)
            #expect(try mode("state/tondo") == 0o700)
            #expect(try served.folder.files(below: "state/tondo") == ["event-ids", "token"])
            tokens.append(try served.folder.data("state/tondo/token"))
            running.signal(SIGTERM)
            #expect(try running.finish().status == 0)
        }
        #expect(tokens[0] == tokens[1])
        #expect(String(decoding: tokens[0], as: UTF8.self).contains(/^[0-9a-f]{64}\n$/))
    }

    @Test func `systemd's folder for state comes first`() throws {
        _ = try served.serve(variables: #"STATE_DIRECTORY="$PWD/own""#)
        #expect(try mode("own/token") == 0o600)
        #expect(!served.folder.exists("state"))
    }

    @Test func `A token that others may read ends it with 78`() throws {
        try served.folder.write(Data(String(repeating: "x", count: 40).utf8), to: "token")
        chmod(served.folder.pathString + "/token", 0o644)
        let outcome = try served.start(["book", "--token-file", "token"]).finish()
        #expect(outcome.status == 78)
        #expect(
            outcome.error
                == "tondo: token: the token must have mode 0600 and belong to the user of the service\n")
    }
}
