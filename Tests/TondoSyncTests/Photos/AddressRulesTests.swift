import Glibc
import Testing
import TondoSync

/// The table of addresses that a photo must not come from.
@Suite struct AddressRulesTests {
    private static func bytes(_ text: String) -> [UInt8] {
        var address = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &address) == 1 { return Array(address.prefix(4)) }
        return inet_pton(AF_INET6, text, &address) == 1 ? address : []
    }

    @Test(arguments: [
        ("0.0.0.0", "this network"), ("0.1.2.3", "this network"), ("127.0.0.1", "loopback"),
        ("127.255.255.255", "loopback"), ("10.0.0.0", "private"), ("10.255.255.255", "private"),
        ("172.16.0.0", "private"), ("172.31.255.255", "private"), ("192.168.0.0", "private"),
        ("192.168.255.255", "private"), ("169.254.0.0", "link-local"), ("169.254.169.254", "link-local"),
        ("100.64.0.0", "shared by carriers"), ("100.127.255.255", "shared by carriers"),
        ("192.0.0.8", "protocol assignments"), ("192.0.2.1", "documentation"), ("198.51.100.1", "documentation"),
        ("203.0.113.255", "documentation"), ("192.88.99.1", "6to4 relay"), ("192.31.196.1", "AS112"),
        ("192.175.48.1", "AS112"), ("192.52.193.1", "AMT"), ("198.18.0.0", "benchmarking"),
        ("198.19.255.255", "benchmarking"), ("224.0.0.1", "multicast"), ("239.255.255.255", "multicast"),
        ("240.0.0.1", "reserved"), ("255.255.255.255", "reserved"),
        ("::", "unspecified"), ("::1", "loopback"), ("::ffff:127.0.0.1", "IPv4-mapped"),
        ("::ffff:93.184.216.34", "IPv4-mapped"), ("::ffff:0:127.0.0.1", "IPv4-translated"),
        ("::127.0.0.1", "IPv4-compatible"), ("::93.184.216.34", "IPv4-compatible"),
        ("64:ff9b::10.0.0.1", "NAT64"), ("64:ff9b::93.184.216.34", "NAT64"), ("64:ff9b:1::1", "NAT64"),
        ("100::1", "discard"), ("2001::1", "Teredo"), ("2001:0:ffff::1", "Teredo"),
        ("2001:2::1", "protocol assignments"),
        ("2001:10::1", "protocol assignments"), ("2001:1ff:ffff::1", "protocol assignments"),
        ("2001:db8::1", "documentation"), ("3fff::1", "documentation"), ("2002:7f00:1::1", "6to4"),
        ("2002:5db8:d822::1", "6to4"), ("2620:4f:8000::1", "AS112"), ("5f00::1", "segment routing"),
        ("fc00::1", "unique-local"), ("fdff:ffff::1", "unique-local"), ("fe80::1", "link-local"),
        ("febf::1", "link-local"), ("fec0::1", "site-local"), ("ff02::1", "multicast"), ("ff0e::1", "multicast"),
        ("2a00:1450::5efe:10.0.0.1", "ISATAP"), ("2a00:1450::200:5efe:93.184.216.34", "ISATAP"),
        ("4000::1", "reserved"), ("1::1", "reserved"), ("200::1", "reserved"), ("e000::1", "reserved"),
    ])
    func `Refuses`(_ text: String, _ kind: String) throws {
        let address = Self.bytes(text)
        try #require(!address.isEmpty)
        #expect(AddressRules.refusal(of: address) == kind)
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111",
        "2a00:1450:4001:82a::2003", "2003::1", "3ffe::1",
    ])
    func `Permits public addresses`(_ text: String) throws {
        let address = Self.bytes(text)
        try #require(!address.isEmpty)
        #expect(AddressRules.refusal(of: address) == nil)
    }

    @Test func `Refuses addresses of another length`() {
        for count in [0, 3, 5, 15, 17] {
            #expect(AddressRules.refusal(of: Array(repeating: 93, count: count)) == "unknown")
        }
    }
}
