import Testing
import TondoServer

@Suite struct CachePolicyTests {
    @Test func `Only the address with the right key is kept for ever`() {
        #expect(CachePolicy(requested: "k", key: "k").value == "public, max-age=31536000, immutable")
        #expect(CachePolicy(requested: "old", key: "k").value == "no-cache")
        #expect(CachePolicy(requested: nil, key: "k").value == "no-cache")
        #expect(CachePolicy.silent.value == nil)
    }
}
