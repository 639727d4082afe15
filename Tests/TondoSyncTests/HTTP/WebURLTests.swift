import Testing

@testable import TondoSync

struct WebURLTests {
    @Test(arguments: [
        ("https://Example.ORG", "https://example.org/"), ("http://h:80/a?b#c", "http://h/a?b"),
        ("https://h:8443/a/../b/./c", "https://h:8443/b/c"), ("HTTPS://[::1]:443/x y", "https://[::1]/x%20y"),
        ("https://h/%25/ä", "https://h/%25/%C3%A4"), ("https://h?q", "https://h/?q"),
        ("https://BÜCHER.example:8443/x", "https://xn--bcher-kva.example:8443/x"),
        ("https://[FE80::1%25eth0]:8443/x", "https://[fe80::1%25eth0]:8443/x"),
        ("https://straße.例え/", "https://xn--strae-oqa.xn--r8jz45g/"),
    ])
    func `URLs are read`(text: String, url: String) { #expect(WebURL(text)?.description == url) }

    @Test(arguments: [
        "", "h", "ftp://h/", "https:/h", "https://", "https://u:p@h/", "https://h%25/", "https://h:0/",
        "https://h:99999/",
        "https://a b/", "https://h\r\n/",
    ])
    func `others are none`(text: String) { #expect(WebURL(text) == nil) }

    @Test(
        arguments: [
            ("/x", "https://h/x"), ("x", "https://h/a/x"), ("../x", "https://h/x"), ("../../../x", "https://h/x"),
            ("//o/x", "https://o/x"), ("http://o/x", "http://o/x"), ("?q", "https://h/a/b?q"), ("", "https://h/a/b"),
            (" /x\n", "https://h/x"), ("a:b@c.vcf", nil), ("mailto:x", nil), ("./a:b", "https://h/a/a:b"),
        ] as [(String, String?)])
    func `references are resolved`(reference: String, url: String?) {
        #expect(WebURL("https://h/a/b")?.resolve(reference)?.description == url)
    }

    @Test(arguments: [
        ("/x#1.vcf", "https://h/x%231.vcf"), ("b?c=1.vcf", "https://h/a/b%3Fc=1.vcf"), ("/x%23?", "https://h/x%23%3F"),
    ])
    func `members have neither fragment nor query`(reference: String, url: String) {
        #expect(WebURL("https://h/a/b")?.resolve(member: reference)?.description == url)
    }

    @Test
    func `credentials are shared by an origin, and by iCloud's partitions`() throws {
        func origin(_ text: String) throws -> WebURL.Origin { try #require(WebURL(text)).origin }
        let pairs = [
            ("https://h/", "https://h:443/x", true), ("https://h/", "http://h/", false),
            ("https://h/", "https://h:8443/", false),
            ("https://contacts.icloud.com/", "https://p42-contacts.icloud.com:443/", true),
            ("https://contacts.icloud.com/", "https://evil-icloud.com/", false),
            ("https://contacts.icloud.com/", "http://p42-contacts.icloud.com/", false),
            ("https://a.example.org/", "https://b.example.org/", false),
        ]
        for (one, other, isShared) in pairs {
            #expect(try origin(one).shares(with: origin(other)) == isShared, "\(one) \(other)")
        }
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("[::1]", true),
        ("127.0.0.1.example.org", false), ("10.0.0.1", false), ("2130706433", false),
    ])
    func `loopback is known by its names`(host: String, isLoopback: Bool) {
        #expect(WebURL("http://\(host)/")?.origin.isLoopback == isLoopback)
    }
}
