import Testing
import TondoTestSupport

@testable import TondoSync

struct DNSMessageTests {
    private static func packet(_ answers: [(UInt16, [UInt8])]) -> DNSPacket {
        var packet = DNSPacket()
        packet.answers = answers.map { (type: $0.0, data: $0.1) }
        return packet
    }

    private static func service(_ host: String, port: UInt16 = 443, priority: UInt16 = 0, weight: UInt16 = 0)
        -> (UInt16, [UInt8])
    {
        DNSPacket.service(DNSPacket.name(host), port: port, priority: priority, weight: weight)
    }

    @Test
    func `services come by priority, then by weight`() {
        let packet = Self.packet([
            Self.service("c.example.test", priority: 2), Self.service("b.example.test", priority: 1, weight: 5),
            Self.service("A.example.test", port: 8_443, priority: 1, weight: 9),
        ])
        let services = DNSMessage(packet.bytes).services
        #expect(services.map(\.host) == ["a.example.test", "b.example.test", "c.example.test"])
        #expect(services.map(\.port) == [8_443, 443, 443])
    }

    @Test
    func `a root as host means that there is no service`() {
        #expect(DNSMessage(Self.packet([DNSPacket.service([0], port: 0)]).bytes).services.isEmpty)
    }

    @Test
    func `a name may end in an earlier one`() {
        // `dav` and then the question's name behind its first two labels.
        let place = UInt8(12 + 10 + 5)
        let host: [UInt8] = [3] + Array("dav".utf8) + [0xC0, place]
        let services = DNSMessage(Self.packet([DNSPacket.service(host, port: 443)]).bytes).services
        #expect(services.map(\.host) == ["dav.example.test"])
    }

    @Test
    func `the strings of texts are read one by one`() {
        let packet = Self.packet([DNSPacket.text(["a=b", "path=/dav/"]), DNSPacket.text([""])])
        #expect(DNSMessage(packet.bytes).texts == ["a=b", "path=/dav/", ""])
    }

    @Test
    func `records of other types are passed over`() {
        let alias: (UInt16, [UInt8]) = (5, DNSPacket.name("x.example.test"))
        #expect(DNSMessage(Self.packet([alias, Self.service("a.test")]).bytes).services.map(\.host) == ["a.test"])
    }

    @Test(arguments: [0, 2, 4, 10])
    func `a pointer that leads to itself, to a later one or in circles is no name`(distance: Int) {
        // The data of the only answer begins behind the question and the head of the record.
        let data = 12 + DNSPacket.name(DNSPacket().question).count + 4 + 12
        let target = data + 6 + distance
        let pointer = [0xC0 | UInt8(target >> 8), UInt8(target & 0xFF)]
        let hosts = [pointer, [1, 0x61] + [0xC0 | UInt8((data + 6) >> 8), UInt8((data + 6) & 0xFF)]]
        for host in hosts {
            #expect(DNSMessage(Self.packet([DNSPacket.service(host, port: 443)]).bytes).services.isEmpty)
        }
    }

    @Test
    func `a message that is cut anywhere is read as far as it goes`() {
        let bytes = Self.packet([Self.service("a.example.test"), Self.service("b.example.test")]).bytes
        for count in 0..<bytes.count {
            let message = DNSMessage(Array(bytes.prefix(count)))
            #expect(message.services.count <= 1 && message.texts.isEmpty)
        }
        #expect(DNSMessage(bytes).services.count == 2)
    }

    @Test
    func `counts that the message does not hold, and changed bytes, do no harm`() {
        let bytes = Self.packet([Self.service("a.example.test"), DNSPacket.text(["path=/"])]).bytes
        for place in bytes.indices {
            for value: UInt8 in [0x00, 0x3F, 0x40, 0x80, 0xC0, 0xFF] {
                var changed = bytes
                changed[place] = value
                let message = DNSMessage(changed)
                #expect(message.services.count <= 2 && message.texts.count <= 64)
            }
        }
    }

    @Test
    func `only servers of the domain itself are used`() {
        let origin = WebURL.Origin(isSecure: true, host: "example.test", port: 443)
        func url(_ host: String, port: Int = 8_443, path: String = "/dav/") -> String? {
            DNSService(host: host, port: port, path: path).url(for: origin).map { "\($0)" }
        }
        #expect(url("dav.example.test") == "https://dav.example.test:8443/dav/")
        #expect(url("example.test", port: 443) == "https://example.test/dav/")
        #expect(url("badexample.test") == nil)
        #expect(url("other.test") == nil)
        // Labels of DNS may hold what ends a host in a URL.
        #expect(url("other.test/.example.test") == nil)
        #expect(url("other.test?.example.test") == nil)
        #expect(url("user@other.test.example.test") == nil)
        #expect(url("dav.example.test", port: 0) == nil)
        #expect(url("dav.example.test", path: "/../x y") == "https://dav.example.test:8443/x%20y")
    }
}
