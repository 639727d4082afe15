/// Whether a server is asked to compress cards. Photos are most of their bytes and shrink by a quarter, at some 30 MB/s of
/// the server's processor: that is worth it only where the network is slower. So cards come as they are, until they
/// arrive slowly.
package struct Compression: Equatable, Sendable {
    /// Bytes per second, of a network of 80 Mbit/s.
    private static let slow = 10_000_000.0
    /// Fewer bytes say nothing.
    private static let fewest = 1 << 18

    /// Never becomes false again: compressed bodies say nothing about the network without compression.
    package private(set) var isAsked = false
    private var bytes = 0
    private var seconds = 0.0

    package init() {}

    /// `duration`: from the first byte of a body to its last one.
    package mutating func note(bytes: Int, _ duration: Duration) {
        self.bytes += bytes
        seconds += duration / .seconds(1)
        if self.bytes >= Self.fewest, Double(self.bytes) < Self.slow * seconds { isAsked = true }
    }
}
