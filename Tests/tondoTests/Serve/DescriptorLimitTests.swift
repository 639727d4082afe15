import Testing

@testable import tondo

@Suite struct DescriptorLimitTests {
    @Test(arguments: [(8192, 16384, 8192), (8192, 1024, 768), (100, 1024, 100), (8192, 64, 16)])
    func `Connections leave descriptors for books and the cache`(_ wanted: Int, _ limit: Int, _ connections: Int) {
        #expect(DescriptorLimit.connections(wanted, of: limit) == connections)
    }

    @Test func `Raising gives the limit that holds`() {
        let limit = DescriptorLimit.raise()
        #expect(limit > 0 && DescriptorLimit.raise() == limit)
    }
}
