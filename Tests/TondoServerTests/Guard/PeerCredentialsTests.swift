import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing
import TondoEndpoints
import TondoTestSupport

@testable import TondoServer

@Suite struct PeerCredentialsTests {
    @Test func `The user at the other end of a Unix socket is known`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.pathString + "/s"
        let respond: HTTPServer.Respond = { _, channel in
            let peer = await PeerCredentials.of(channel)
            let text = peer.map { "\($0.user)" } ?? "nobody"
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: text)))
        }
        let sources = [HTTPServer.Source.address(.unix(path: path)), .address(.tcp(host: "127.0.0.1", port: 0))]
        try await RunningServer.run(sources: sources, respond: respond) { server in
            let unix = try await server.client(0).get("/")
            #expect(unix.body == "\(geteuid())")
            let tcp = try await server.client(1).get("/")
            #expect(tcp.body == "nobody")
        }
    }

    @Test func `Only the same user and the superuser may change something`() {
        let (own, root) = (PeerCredentials(user: 7), PeerCredentials(user: 0))
        #expect(own.mayChange(as: 7) && root.mayChange(as: 7) && !own.mayChange(as: 8))
    }
}
