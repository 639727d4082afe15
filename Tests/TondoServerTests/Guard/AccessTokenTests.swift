import Foundation
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoServer

@Suite struct AccessTokenTests {
    private let text = String(repeating: "s3cret-x", count: 4)

    @Test func `Only the whole token opens`() throws {
        let folder = try TemporaryFolder()
        let token = try AccessToken(file: folder.write(text + "\n", to: "token"))
        #expect(token.isHeld(by: "Bearer \(text)") && token.isHeld(by: "bearer \(text)"))
        for value in [nil, "", text, "Bearer ", "Bearer \(text) ", "Bearer \(text.dropLast())", "Basic \(text)"] {
            #expect(!token.isHeld(by: value))
        }
        #expect(!token.isHeld(by: "Bearer " + String(repeating: "x", count: 100_000)))
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o666, 0o644])
    func `A file that others may read or write is not trusted`(mode: Int) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "token")
        chmod(file, mode_t(mode))
        #expect(throws: AccessToken.Failure.exposed) { try AccessToken(file: file) }
    }

    @Test func `What is no token is not taken for one`() throws {
        let folder = try TemporaryFolder()
        for content in ["", "short", text + "\n" + text, text + " ", String(repeating: "x", count: 513)] {
            let file = try folder.write(content, to: "token")
            #expect(throws: AccessToken.Failure.malformed) { try AccessToken(file: file) }
        }
        let file = try folder.write(text, to: "token")
        symlink(file, folder.pathString + "/link")
        mkfifo(folder.pathString + "/pipe", 0o600)
        #expect(throws: AccessToken.Failure.self) { try AccessToken(file: folder.pathString + "/link") }
        #expect(throws: AccessToken.Failure.malformed) { try AccessToken(file: folder.pathString + "/pipe") }
        #expect(throws: AccessToken.Failure.self) { try AccessToken(file: folder.pathString + "/none") }
    }
}
