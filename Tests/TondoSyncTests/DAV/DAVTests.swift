import Testing

@testable import TondoSync

struct DAVTests {
    private func read(_ text: String, piece: Int = .max) throws -> (responses: [DAVResponse], token: String?) {
        var (reader, found) = (MultistatusReader(), [DAVResponse]())
        let xml = XMLReader { try reader.take($0) { found.append($0) } }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try Array(rest.prefix(piece)).withUnsafeBytes { try xml.read($0) }
            rest = rest.dropFirst(piece)
        }
        try xml.finish()
        return (found, reader.syncToken)
    }

    private static let sample = """
        <?xml version="1.0" encoding="utf-8"?>
        <x:multistatus xmlns:x="DAV:" xmlns="urn:ietf:params:xml:ns:carddav">
          <x:response><x:href> /a/%C3%A4.vcf </x:href><x:propstat><x:prop><x:getetag>"1&amp;"</x:getetag>
            <address-data>BEGIN:VCARD\r\nFN:Ä<![CDATA[ & <B>]]>\r\nEND:VCARD\r\n</address-data></x:prop>
            <x:status>HTTP/1.1 200 OK</x:status></x:propstat>
            <x:propstat><x:prop><x:getetag>no</x:getetag></x:prop><x:status>HTTP/1.1 418 Teapot</x:status></x:propstat>
          </x:response>
          <x:response><x:href>/a/b.vcf</x:href><x:status>HTTP/1.1 404 Not Found</x:status></x:response>
          <x:sync-token>data:,3172</x:sync-token>
        </x:multistatus>
        """

    @Test(arguments: [Int.max, 1, 7])
    func `a multistatus is read in pieces of any size`(piece: Int) throws {
        let (responses, token) = try read(Self.sample, piece: piece)
        #expect(responses.count == 2)
        #expect(responses[0].hrefs == ["/a/%C3%A4.vcf"])
        #expect(responses[0].etag == "\"1&\"")
        #expect(responses[0].card.map { String(decoding: $0, as: UTF8.self) } == "BEGIN:VCARD\nFN:Ä & <B>\nEND:VCARD\n")
        #expect(responses[1].status == 404 && !responses[1].isFound)
        #expect(token == "data:,3172")
    }

    @Test
    func `prefixes say nothing, namespaces do`() throws {
        let (responses, _) = try read(
            "<multistatus xmlns=\"DAV:\"><response xmlns=\"urn:other\"><href>/x</href></response></multistatus>")
        #expect(responses.isEmpty)
        #expect(throws: MultistatusReader.Failure.notMultistatus("multistatus")) { try read("<multistatus/>") }
    }

    @Test
    func `twenty megabytes are read`() throws {
        let card = "BEGIN:VCARD\n" + String(repeating: "NOTE:0123456789\n", count: 1_700) + "END:VCARD\n"
        let one = FakeAddressBook.found("/a.vcf", "\"1\"", card)
        let reply = FakeAddressBook.multistatus(Array(repeating: one, count: 750))
        #expect(reply.body.count > 20_000_000)
        var (reader, count) = (MultistatusReader(), 0)
        let xml = XMLReader { try reader.take($0) { _ in count += 1 } }
        try reply.body.withUnsafeBytes { try xml.read($0) }
        try xml.finish()
        #expect(count == 750)
    }

    @Test(arguments: ["", "<", "<a>", "<a></b>", "text", "<a/><b/>", "<a>&undefined;</a>"])
    func `a document that is none is an error`(text: String) {
        #expect(throws: (any Error).self) { try read(text) }
    }

    /// A document with one card of this text.
    private static func document(_ text: String) -> String {
        let card = "<c:address-data xmlns:c=\"urn:ietf:params:xml:ns:carddav\">\(text)</c:address-data>"
        return "<d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>/a.vcf</d:href><d:propstat><d:prop>\(card)</d:prop>"
            + "</d:propstat></d:response></d:multistatus>"
    }

    @Test(arguments: [
        ("a&#x1A;b&#0;c&#xB;d&#26;e", "abcde"), ("a&#xFFFF;&#xD800;b", "ab"), ("&#xD83D;&#xDE00;", "😀"),
        ("&#228;&#xe4;", "ää"),
        ("a&nbsp;b &eacute; &yuml;", "a\u{A0}b é ÿ"), ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("a & b &c; &copy", "a & b &c; &copy"),
        ("&#;&#x;&#xZZ;&#99999999999;", "&#;&#x;&#xZZ;"), ("a < b <3 <<", "a < b <3 <<"), ("a]]>b]>c", "a]]>b]>c"),
        ("<![CDATA[a & <b> &#1; ]] ]>]]>c", "a & <b> &#1; ]] ]>c"), ("a<i>b</i>c", "abc"),
        ("a\u{B}\u{7F}\u{FFFF}b", "ab"),
    ])
    func `what XML forbids and servers write is read`(text: String, card: String) throws {
        for piece in [Int.max, 1, 2, 3, 5] {
            let (responses, _) = try read(Self.document(text), piece: piece)
            #expect(responses.first?.card.map { String(decoding: $0, as: UTF8.self) } == card, "\(piece)")
        }
    }

    @Test(arguments: [
        "\n", "\u{FEFF}", "\u{FEFF}\r\n  ", "<br />\n<b>Warning</b>: a < b in <b>x</b><br />\n<?xml version=\"1.0\"?>",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\nNotice: x", "<?xml version='1.0' encoding='utf8'?>",
        "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
    ])
    func `what stands around a document is skipped`(head: String) throws {
        for piece in [Int.max, 1, 7] {
            let (responses, _) = try read(head + Self.document("Jörg") + "\n<br/>Warning & more", piece: piece)
            #expect(responses.first?.card.map { String(decoding: $0, as: UTF8.self) } == "Jörg")
        }
    }

    @Test
    func `bytes that are no UTF-8 are Windows-1252, unless something else is declared`() throws {
        func read(_ head: String) throws -> [UInt8]? {
            let parts = Self.document("J|rg \u{17D}").split(separator: "|")
            let bytes = Array((head + parts[0]).utf8) + [0xF6] + Array(parts[1].utf8)
            var (reader, found) = (MultistatusReader(), [UInt8]?.none)
            let xml = XMLReader { try reader.take($0) { found = $0.card } }
            try bytes.withUnsafeBytes { try xml.read($0) }
            try xml.finish()
            return found
        }
        #expect(try read("") == Array("Jörg \u{17D}".utf8))
        #expect(try read("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") == Array("Jörg \u{17D}".utf8))
        #expect(throws: XMLError.encoding("koi8-r")) { try read("<?xml version=\"1.0\" encoding=\"KOI8-R\"?>") }
    }

    @Test(arguments: [Int.max, 1, 2, 3, 7], [false, true])
    func `UTF-16 is read in pieces of any size, without a byte-order mark, too`(piece: Int, isBig: Bool) throws {
        for mark in ["", "\u{FEFF}"] {
            let units = (mark + "<?xml version=\"1.0\"?>" + Self.document("Jörg 😀")).utf16
            let bytes = units.flatMap { unit -> [UInt8] in
                let high = UInt8(unit >> 8)
                let low = UInt8(unit & 0xFF)
                return isBig ? [high, low] : [low, high]
            }
            var (reader, found) = (MultistatusReader(), [UInt8]?.none)
            let xml = XMLReader { try reader.take($0) { found = $0.card } }
            var rest = bytes[...]
            while !rest.isEmpty {
                try Array(rest.prefix(piece)).withUnsafeBytes { try xml.read($0) }
                rest = rest.dropFirst(piece)
            }
            try xml.finish()
            #expect(found.map { String(decoding: $0, as: UTF8.self) } == "Jörg 😀")
        }
    }

    @Test
    func `a prefix without a namespace is an element of its own`() throws {
        let (responses, _) = try read(
            "<d:multistatus xmlns:d=\"DAV:\"><d:response><X:a/><d:href>/x</d:href><X:href>/y</X:href></d:response></d:multistatus>"
        )
        #expect(responses.map(\.hrefs) == [["/x"]])
    }

    @Test
    func `other spellings of a path`() {
        #expect(DAVPath.spellings("/b/1%2540h.vcf").first == "/b/1%40h.vcf")
        #expect(DAVPath.spellings("/b/%7Ba%7D.vcf").contains("/b/%257Ba%257D.vcf"))
        #expect(DAVPath.spellings("/b/1%40h.vcf").contains("/b/1@h.vcf"))
        #expect(DAVPath.spellings("/b/a.vcf").isEmpty)
    }

    @Test(arguments: [
        ("/radicale/dav/book/", "/dav/book/", "/dav/book/a.vcf", "/radicale/dav/book/a.vcf"),
        ("/book/", "/in/side/book/", "/in/side/book/a.vcf", "/book/a.vcf"),
        ("/p/", "/", "/ada/", "/p/ada/"),
    ])
    func `a prefix that a proxy changes is changed back`(own: String, written: String, id: String, requested: String) {
        #expect(PathAlias(requested: own, written: written)?.requested(id) == requested)
        #expect(PathAlias(requested: own, written: written)?.prefix.requested(id) == requested)
        #expect(PathAlias(requested: own, written: own) == nil)
    }

    @Test
    func `deep nesting is refused`() {
        let deep = String(repeating: "<a>", count: 10_000)
        #expect(throws: XMLError.tooDeep) { try read("<multistatus xmlns=\"DAV:\">" + deep) }
    }

    /// Nested elements that declare `count` namespaces each.
    private static func declarations(_ count: Int, depth: Int) -> String {
        let words = (0..<count).map { " xmlns:n\($0)=\"u\($0)\"" }.joined()
        let open = String(repeating: "<d:a\(words)>", count: depth)
        return "<d:multistatus xmlns:d=\"DAV:\">\(open)\(String(repeating: "</d:a>", count: depth))</d:multistatus>"
    }

    @Test
    func `more namespaces at a time than a server needs are refused`() throws {
        #expect(throws: XMLError.tooManyNamespaces) { try read(Self.declarations(10_000, depth: 1)) }
        #expect(throws: XMLError.tooManyNamespaces) { try read(Self.declarations(10, depth: 90)) }
        _ = try read(Self.declarations(10, depth: 20))
    }

    @Test
    func `namespaces that each response declares for itself have no limit`() throws {
        let response = "<response xmlns=\"DAV:\"><x:href xmlns:x=\"DAV:\">/x</x:href></response>"
        let (responses, _) = try read(
            "<multistatus xmlns=\"DAV:\">" + String(repeating: response, count: 1_000) + "</multistatus>")
        #expect(responses.count == 1_000)
    }

    @Test(arguments: ["<multistatus xmlns=\"DAV:\">", "<multistatus\n xmlns='DAV:' xmlns:x='urn:x'>"])
    func `a root without a prefix is found behind warnings`(root: String) throws {
        for piece in [Int.max, 1, 7] {
            let (responses, _) = try read(
                "\u{FEFF}<br />\n<b>Warning</b>: <i>x: y</i>\n<?xml version=\"1.0\"?>\n\(root)<response><href>/x</href></response></multistatus>",
                piece: piece)
            #expect(responses.map(\.hrefs) == [["/x"]])
        }
    }

    @Test(
        arguments: [
            (
                "<d:error xmlns:d=\"DAV:\" xmlns:s=\"urn:s\"><s:message> In\n maintenance &amp; \u{9B}2J</s:message></d:error>",
                "In maintenance & 2J"
            ),
            (
                "<error xmlns=\"DAV:\"><responsedescription>No room</responsedescription><message>x</message></error>",
                "No room"
            ),
            ("<s:error xmlns:s=\"urn:s\"><s:message>cut o", "cut o"), ("<html><body><p>message</p></body></html>", nil),
            (
                "<error><message>\(String(repeating: "a", count: 20_000))</message></error>",
                String(repeating: "a", count: 200)
            ),
            ("message", nil), ("", nil), ("<message/>", nil),
        ] as [(String, String?)])
    func `the reason that a server gives is one line`(body: String, reason: String?) {
        #expect(DAVReason.text(of: Array(body.utf8)) == reason)
    }

    @Test(arguments: [
        ("/a/b%20c", "/a/b%20c"), ("/a/b c", "/a/b%20c"), ("/%61/b", "/a/b"), ("/a/100%", "/a/100%25"),
        ("/a/100%25", "/a/100%25"), ("/a/x%2Fy", "/a/x%2Fy"), ("/a/@;,", "/a/%40%3B%2C"), ("/a/%c3%a4", "/a/%C3%A4"),
        ("/a/ä", "/a/%C3%A4"), ("/a/%ZZ", "/a/%25ZZ"), ("/", "/"),
    ])
    func `two spellings of a path have one id`(path: String, id: String) {
        #expect(DAVPath.id(path) == id)
        #expect(DAVPath.id(id) == id)
    }

    @Test(
        arguments: [
            (207, "", "1", false, SyncAnswer.listed), (207, "1", "2", true, .continued(token: "2")),
            (207, "1", "1", true, .tokenRejected), (207, "1", nil, false, .unsupported),
            (403, "1", nil, false, .tokenRejected),
            (412, "1", nil, false, .tokenRejected), (415, "1", nil, false, .tokenRejected),
            (507, "1", nil, false, .tokenRejected), (507, "", nil, false, .unsupported),
            (400, "", nil, false, .unsupported),
            (415, "", nil, false, .unsupported), (404, "1", nil, false, .tokenRejected),
            (404, "", nil, false, .unsupported),
            (200, "1", "2", false, .refused),
            (501, "", nil, false, .unsupported),
        ] as [(Int, String, String?, Bool, SyncAnswer)])
    func `the status of a report decides what follows`(
        status: Int, token: String, returned: String?, isPartial: Bool, answer: SyncAnswer
    ) {
        #expect(SyncAnswer(status: status, token: token, returned: returned, isPartial: isPartial, seen: []) == answer)
    }

    @Test
    func `batches follow the size of the cards`() {
        var size = BatchSize()
        #expect(size.count == 25)
        size.note(cards: 10, bytes: 10_000)
        #expect(size.count == 100)
        size.note(cards: 10, bytes: 20_000_000)
        #expect(size.count == 4)
        size.note(cards: 1, bytes: 1 << 40)
        #expect(size.count == 1)
    }

    @Test
    func `a batch that took too long makes the later ones half as large`() {
        var size = BatchSize()
        size.note(tooMany: 25)
        #expect(size.count == 12)
        size.note(cards: 10, bytes: 10_000)
        #expect(size.count == 12)
        size.note(tooMany: 50)
        #expect(size.count == 12)
        size.note(tooMany: 1)
        #expect(size.count == 1)
    }

    @Test(
        arguments: [
            ("BEGIN:VCARD\nUID:abc\nEND:VCARD", "abc"), ("BEGIN:VCARD\r\nitem1.uid;X=1:a-b\r\n", "a-b"),
            ("BEGIN:VCARD\nUID:urn:uuid:1-2\n", "1-2"), ("BEGIN:VCARD\nUID:a\n b\n", nil),
            ("BEGIN:VCARD\nFN:UID\n", nil),
        ] as [(String, String?)])
    func `the UID of a card names its file`(card: String, uid: String?) {
        #expect(VCardText.uid(Array(card.utf8)) == uid)
    }

    @Test
    func `cards are told from pages`() {
        #expect(VCardText.isCard(Array("\u{FEFF}\r\n begin:vcard\n".utf8)))
        for text in ["", "BEGIN", "<html>", "BEGIN:VCALENDAR"] { #expect(!VCardText.isCard(Array(text.utf8))) }
    }
}
