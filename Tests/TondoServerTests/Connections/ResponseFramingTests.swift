import NIOHTTP1
import Testing

@testable import TondoServer

@Suite struct ResponseFramingTests {
    private func complete(
        _ framing: ResponseFraming, _ fields: HTTPHeaders, status: HTTPResponseStatus = .ok, isLast: Bool = false
    ) -> (fields: [String: String], outcome: ResponseFraming.Outcome) {
        var head = HTTPResponseHead(version: .http1_0, status: status, headers: fields)
        let outcome = framing.complete(&head, isLast: isLast)
        return (Dictionary(head.headers.map { ($0.name, $0.value) }) { $1 }, outcome)
    }

    @Test func `A body of unknown length comes in chunks, or ends with an HTTP 1.0 connection`() {
        let new = complete(ResponseFraming(), [:])
        #expect(new.fields == ["Transfer-Encoding": "chunked"])
        #expect(new.outcome == .init(isLast: false, isEndless: true))
        let old = complete(ResponseFraming(isHTTP10: true), [:])
        #expect(old.fields == ["Connection": "close"] && old.outcome == .init(isLast: true, isEndless: true))
    }

    @Test func `A body of known length lets an HTTP 1.0 connection live, and says so`() {
        let response = complete(ResponseFraming(isHTTP10: true), ["Content-Length": "3"])
        #expect(response.fields == ["Content-Length": "3", "Connection": "keep-alive"] && !response.outcome.isLast)
        let last = complete(ResponseFraming(isHTTP10: true), ["Content-Length": "3"], isLast: true)
        #expect(last.fields["Connection"] == "close" && last.outcome.isLast)
    }

    @Test func `HEAD of a stream has neither length nor chunks`() {
        let response = complete(ResponseFraming(isHead: true), [:])
        #expect(response.fields.isEmpty && response.outcome == .init(isLast: false, isEndless: false))
    }

    @Test(arguments: [HTTPResponseStatus.noContent, .notModified])
    func `A status without a body has no length`(status: HTTPResponseStatus) {
        #expect(complete(ResponseFraming(), ["Content-Length": "0"], status: status).fields.isEmpty)
    }
}
