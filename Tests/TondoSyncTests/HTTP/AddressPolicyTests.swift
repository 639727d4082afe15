import Glibc
import Testing
import TondoSync

struct AddressPolicyTests {
    private static func bytes(_ text: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 { return bytes }
        bytes = [UInt8](repeating: 0, count: 4)
        #expect(inet_pton(AF_INET, text, &bytes) == 1)
        return bytes
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::808:808", "64:ff9b:1::1", "100::1",
        "2001::1", "2001:2::1", "2001:db8::1", "2002:808:808::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1",
        "fec0::1", "ff02::1", "2a00::5efe:808:808", "2a00::200:5efe:808:808",
    ])
    func `addresses that are not of the public internet are refused`(text: String) {
        #expect(!AddressPolicy.public.permits(Self.bytes(text)))
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255",
        "198.17.255.255", "223.255.255.255", "2a00:1450:4001:800::200e", "2606:4700::1111", "2003::1",
    ])
    func `addresses of the public internet are permitted`(text: String) {
        #expect(AddressPolicy.public.permits(Self.bytes(text)))
    }

    @Test
    func `plain http stays on this machine`() {
        for text in ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"] {
            #expect(AddressPolicy.loopback.permits(Self.bytes(text)))
        }
        for text in ["10.0.0.1", "8.8.8.8", "::2", "::ffff:8.8.8.8", "fe80::1"] {
            #expect(!AddressPolicy.loopback.permits(Self.bytes(text)))
        }
    }
}
