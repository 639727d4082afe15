import Testing

@testable import TondoServer

@Suite struct NetworkAddressTests {
    private let card = NetworkAddress(host: "192.168.1.5", interface: "wlan0", isPhysical: true, isDefault: true)
    private let cable = NetworkAddress(host: "10.1.2.3", interface: "eth0", isPhysical: true)
    private let docker = NetworkAddress(host: "172.17.0.1", interface: "docker0", isBridge: true)
    private let tunnel = NetworkAddress(host: "10.8.0.2", interface: "tun0", isTunnel: true)

    @Test func `The interface with the default route comes first, then other network cards`() {
        #expect(NetworkAddress.ranked([cable, card]) == ["192.168.1.5", "10.1.2.3"])
    }

    @Test func `A bridge of containers is left out where anything better exists`() {
        #expect(NetworkAddress.ranked([docker, cable]) == ["10.1.2.3"])
        #expect(NetworkAddress.ranked([docker]) == ["172.17.0.1"])
        #expect(NetworkAddress.ranked([docker, tunnel]) == ["172.17.0.1", "10.8.0.2"])
    }

    @Test func `A bridge with the default route is the network of a server`() {
        let bridge = NetworkAddress(host: "192.168.1.9", interface: "br0", isBridge: true, isDefault: true)
        #expect(NetworkAddress.ranked([docker, bridge]) == ["192.168.1.9"])
    }

    @Test func `A VPN comes last, although the default route leads through it`() {
        var vpn = tunnel
        vpn.isDefault = true
        var offline = card
        offline.isDefault = false
        #expect(NetworkAddress.ranked([vpn, docker, offline]) == ["192.168.1.5", "10.8.0.2"])
        #expect(NetworkAddress.ranked([vpn]) == ["10.8.0.2"])
    }

    @Test func `IPv4 comes before IPv6, of which each interface shows one`() {
        func version6(_ host: String, of address: NetworkAddress) -> NetworkAddress {
            var other = address
            other.host = host
            return other
        }
        let addresses = [
            version6("[2001:db8::1]", of: card), version6("[2001:db8::2]", of: card), card,
            version6("[fd00::1]", of: cable), cable,
        ]
        #expect(NetworkAddress.ranked(addresses) == ["192.168.1.5", "[2001:db8::1]", "10.1.2.3", "[fd00::1]"])
    }

    @Test func `No address of this machine is loopback or link-local`() {
        for address in NetworkAddress.all {
            #expect(!["127.", "0.", "169.254.", "[::", "[fe80"].contains(where: address.host.hasPrefix), "\(address)")
        }
    }

    @Test func `Without a network there is no address`() { #expect(NetworkAddress.ranked([]) == []) }
}
