import Foundation
import Testing
import TondoTestSupport

@testable import TondoServer

@Suite struct InheritedSocketsTests {
    private func sockets(_ environment: [String: String]) throws(ListenError) -> [InheritedSockets.Socket] {
        try InheritedSockets(environment: environment, process: 7).sockets
    }

    @Test func `Sockets come with their names`() throws {
        let environment = ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "web:unix"]
        #expect(try sockets(environment) == [.init(descriptor: 3, name: "web"), .init(descriptor: 4, name: "unix")])
        #expect(try sockets(["LISTEN_PID": "7", "LISTEN_FDS": "1"]) == [.init(descriptor: 3, name: "unknown")])
    }

    @Test(arguments: [[:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "8", "LISTEN_FDS": "1"]])
    func `Sockets for no process or another process are left alone`(environment: [String: String]) throws {
        #expect(try sockets(environment).isEmpty)
    }

    @Test(arguments: [("7", "-1", "a"), ("7", "99999", "a"), ("x", "1", "a"), ("7", "2", "a"), ("7", "x", "a")])
    func `Nonsense is an error`(pid: String, count: String, names: String) {
        #expect(throws: ListenError.self) {
            try sockets(["LISTEN_PID": pid, "LISTEN_FDS": count, "LISTEN_FDNAMES": names])
        }
    }

    @Test func `Only a stream socket that listens is taken`() throws {
        let folder = try TemporaryFolder()
        let file = open(folder.pathString, O_RDONLY)
        let deaf = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let listening = try UnixSocket.listen(path: folder.pathString + "/s")
        defer { for descriptor in [file, deaf, listening] { close(descriptor) } }
        for descriptor in [file, deaf] {
            #expect(throws: ListenError.notListening(descriptor: descriptor, name: "x")) {
                try InheritedSockets.Socket(descriptor: descriptor, name: "x").check()
            }
        }
        try InheritedSockets.Socket(descriptor: listening, name: "x").check()
    }
}
