import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import Testing

@testable import TondoServer

@Suite struct ProblemDetailsTests {
    @Test func `A problem has its code, and no field that permits caching`() throws {
        let problem = ProblemDetails(.serviceUnavailable, code: "queue-full", detail: "a \"b\" <c>", retryAfter: 2)
        #expect(
            problem.json == #"{"type":"about:blank","title":"Service Unavailable","status":503,"#
                + #""code":"queue-full","detail":"a \"b\" \u003cc\u003e"}"#)
        let headers = problem.response.headers
        #expect(headers[.contentType] == "application/problem+json" && headers[.retryAfter] == "2")
        #expect(headers[.cacheControl] == nil && headers[.eTag] == nil)
        #expect(headers[.xContentTypeOptions] == "nosniff")
    }

    @Test func `In front of the door it says the same`() {
        let problem = ProblemDetails(.notFound, code: "not-found")
        let head = String(buffer: problem.encodedResponse.head(date: "now", connection: "close"))
        #expect(head.hasPrefix("HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\n"))
        #expect(
            head.hasSuffix(
                "Content-Length: \(problem.json.utf8.count)\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                    + "Date: now\r\nConnection: close\r\n\r\n"))
    }
}
