import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing

@testable import TondoServer

/// Bodies whose connection ends within them.
@Suite(.timeLimit(.minutes(5))) struct BrokenBodyTests {
    @Test(arguments: [
        "Content-Length: 9\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
    ])
    func `A body that breaks off is not taken for a whole one`(_ rest: String) async throws {
        let (bodies, read) = AsyncStream.makeStream(of: String?.self)
        let (heads, begun) = AsyncStream.makeStream(of: Void.self)
        let respond: HTTPServer.Respond = { request, _ in
            begun.yield()
            read.yield(try? await String(buffer: request.body.collect(upTo: 100)))
            return Response(status: .ok)
        }
        try await RunningServer.run(respond: respond) { server in
            let client = try await server.client()
            try await client.send("PUT /photo HTTP/1.1\r\nHost: localhost\r\n\(rest)")
            for await _ in heads { break }
            try await client.close()
            for await body in bodies {
                #expect(body == nil)
                break
            }
        }
    }
}
