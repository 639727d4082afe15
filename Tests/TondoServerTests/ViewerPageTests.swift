import Crypto
import Foundation
import NIOCore
import Testing

@testable import TondoServer

@Suite struct ViewerPageTests {
    @Test func `Only the page's own script and style run`() throws {
        let page = ViewerPage(html: Array("<style>b{}</style><script>alert(1)</script>".utf8))
        let head = String(buffer: page.encoded.head(date: "now", connection: nil))
        for text in ["b{}", "alert(1)"] {
            let hash = Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
            #expect(head.contains("-src 'sha256-\(hash)';"))
        }
        #expect(head.contains("default-src 'none'") && head.contains("nosniff"))
    }

    @Test func `The page sends no request to another host`() throws {
        let page = String(buffer: try #require(ViewerPage.own.encoded.body))
        #expect(page.contains("new EventSource(\"/v1/events\")") && page.contains("aria-pressed"))
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("innerHTML"))
        #expect(!page.contains(" onclick=") && !page.contains(" style="))
    }
}
