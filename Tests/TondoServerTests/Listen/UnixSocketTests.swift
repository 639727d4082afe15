import Foundation
import Testing
import TondoTestSupport

@testable import TondoServer

@Suite struct UnixSocketTests {
    @Test func `A socket file without a listening process is replaced`() throws {
        let folder = try TemporaryFolder()
        let path = folder.pathString + "/s"
        close(try UnixSocket.listen(path: path))
        let descriptor = try UnixSocket.listen(path: path, mode: 0o600)
        defer { close(descriptor) }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `Neither a living socket nor a file is replaced`() throws {
        let folder = try TemporaryFolder()
        let descriptor = try UnixSocket.listen(path: folder.pathString + "/s")
        defer { close(descriptor) }
        #expect(throws: ListenError.inUse(path: folder.pathString + "/s")) {
            try UnixSocket.listen(path: folder.pathString + "/s")
        }
        let file = try folder.write("precious", to: "file")
        #expect(throws: ListenError.notASocket(path: file)) { try UnixSocket.listen(path: file) }
        #expect(FileManager.default.fileExists(atPath: file))
    }
}
