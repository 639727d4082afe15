import Testing

@testable import tondo

@Suite struct OwnAddressesTests {
    private func contain(_ host: String) -> Bool {
        OwnAddresses.contain(host) { ["192.0.2.7", "2001:db8::7", "127.0.0.1"] }
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.8.9.10", "::1", "192.0.2.7", "2001:db8::7", "2001:DB8:0::07"])
    func `An address of an interface is one of this machine, and so is loopback`(_ host: String) {
        #expect(contain(host))
    }

    @Test(arguments: ["192.0.2.8", "2001:db8::8", "example.org", "192.0.2.7.example.org", "", "0.0.0.0", "192.0.2.07"])
    func `Other addresses and names are not`(_ host: String) { #expect(!contain(host)) }

    @Test func `The interfaces of this machine have loopback among them`() {
        #expect(OwnAddresses.interfaces.contains("127.0.0.1"))
    }
}
