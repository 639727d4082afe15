import Foundation

@testable import CacheCrasher

extension CacheCrasher {
    /// The program lies beside the test bundle.
    static var program: String {
        get throws {
            let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: test).deletingLastPathComponent().path + "/CacheCrasher"
        }
    }
}
