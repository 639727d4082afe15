import NIOCore
import NIOEmbedded
import Testing

@testable import TondoServer

@Suite struct PhoneConnectionsTests {
    @Test func `Connections of phones take no more than their places`() throws {
        let connections = Connections(limit: AdjustableLimit(limit: 200))
        let phones = (0..<Connections.mostPhones).map { _ in EmbeddedChannel() }
        for phone in phones { #expect(connections.admit(phone, isPhone: true)) }
        let late = EmbeddedChannel()
        #expect(!connections.admit(late, isPhone: true))
        #expect(connections.admit(EmbeddedChannel()))
        _ = try phones[0].finish()
        #expect(connections.admit(late, isPhone: true))
    }
}
