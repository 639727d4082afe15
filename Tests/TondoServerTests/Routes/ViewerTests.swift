import NIOCore
import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(2))) struct ViewerTests {
    @Test func `The page comes with all it is allowed to do`() async throws {
        try await RunningService.run { service in
            let page = try await service.get("/")
            #expect(page.status == 200 && page.field("content-type") == "text/html; charset=utf-8")
            #expect(page.field("content-security-policy")?.contains("default-src 'none'") == true)
            #expect(page.field("x-content-type-options") == "nosniff" && page.field("cache-control") == "no-cache")
            #expect(page.bytes.count == ViewerPage.own.encoded.body?.readableBytes)
            let head = try await service.server.client().head("/")
            #expect(head.field("content-length") == "\(page.bytes.count)")
        }
    }
}
