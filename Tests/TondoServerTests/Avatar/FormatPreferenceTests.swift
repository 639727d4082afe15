import Testing
import TondoAvatars
import TondoImage

@testable import TondoServer

@Suite struct FormatPreferenceTests {
    @Test(arguments: [
        ("image/webp", true), ("image/avif,image/webp,image/png;q=0.8,*/*;q=0.5", true), ("IMAGE/WebP ; q=0.1", true),
        ("image/webp;q=1.000", true), ("image/webp;q=0.5,image/png;q=0.5", true), ("image/webp;q=0.9,*/*;q=0.8", true),
        ("image/avif,image/webp,image/apng,image/*,*/*;q=0.8", true),
        ("image/webp;q=0.1,image/png;q=0,*/*", true),
        ("image/png,image/webp;q=0.5", false), ("image/webp;q=0.5,*/*", false),
        ("image/webp;q=0.5,image/*;q=0.6", false),
        ("image/webp;level=2", true),
        ("", false), ("*/*", false), ("image/*", false), ("image/png", false), ("image/webp;q=0", false),
        ("image/webp;q=0.000", false), ("image/webpx", false), ("text/image/webp", false), (",;,;=", false),
    ])
    func `WebP is accepted where it is named, and not less than PNG`(accept: String, isAccepted: Bool) {
        #expect(FormatPreference.acceptsWebP(accept) == isAccepted)
    }

    @Test func `A named format counts more than what is accepted`() throws {
        let webp = AvatarFormat.webp(quality: 60)
        func format(_ query: String, accepts: Bool) throws -> (AvatarFormat, Bool) {
            let query = try AvatarQuery(query, styles: [:], acceptsWebP: accepts, quality: 60)
            return (query.style.format, query.isNegotiated)
        }
        #expect(try format("", accepts: false) == (.png, true))
        #expect(try format("", accepts: true) == (webp, true))
        #expect(try format("format=png", accepts: true) == (.png, false))
        #expect(try format("format=webp", accepts: false) == (webp, false))
        #expect(throws: ProblemDetails.self) { try AvatarQuery("format=gif", styles: [:]) }
    }

    @Test func `A named style and a key have a format of their own`() throws {
        var own = Style(size: 30)
        own.format = .webp(quality: 7)
        let styles = ["own": AvatarStyle(own, name: "own"), "old": AvatarStyle(Style(size: 30), name: "old")]
        func format(_ query: String) throws -> AvatarFormat {
            try AvatarQuery(query, styles: styles, acceptsWebP: true, quality: 60).style.format
        }
        #expect(try format("style=own") == .webp(quality: 7))
        #expect(try format("style=own&format=webp") == .webp(quality: 7))
        #expect(try format("style=own&format=png") == .png)
        #expect(try format("style=old") == .png)
        #expect(try format("v=" + String(repeating: "0", count: 64)) == .png)
    }
}
