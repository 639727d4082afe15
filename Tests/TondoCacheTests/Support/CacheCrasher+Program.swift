import TondoTestSupport

@testable import CacheCrasher

extension CacheCrasher {
    static var program: String { get throws { try BuiltProgram.path("CacheCrasher") } }
}
