/// The codes and tokens of sessions, as digests, so that no secret stays in memory. Bounded: the oldest go first. Pure.
///
/// Times are durations since any moment.
struct SessionTable {
    typealias Digest = [UInt8]

    private struct Entry {
        let digest: Digest
        let end: Duration
    }

    static let codeLifetime = Duration.seconds(60)
    static let tokenLifetime = Duration.seconds(12 * 3_600)
    static let mostCodes = 16
    static let mostTokens = 64

    /// The oldest first.
    private var codes: [Entry] = []
    private var tokens: [Entry] = []

    mutating func add(code: Digest, for lifetime: Duration = codeLifetime, now: Duration) {
        Self.add(code, to: &codes, until: now + lifetime, most: Self.mostCodes, now: now)
    }

    /// Exchanges a code for a token; false if there is no such code. A code works once.
    mutating func exchange(code: Digest, for token: Digest, now: Duration) -> Bool {
        guard let index = Self.index(of: code, in: codes, now: now) else { return false }
        codes.remove(at: index)
        Self.add(token, to: &tokens, until: now + Self.tokenLifetime, most: Self.mostTokens, now: now)
        return true
    }

    func holds(token: Digest, now: Duration) -> Bool { Self.index(of: token, in: tokens, now: now) != nil }

    /// Whether there was one.
    mutating func end(token: Digest, now: Duration) -> Bool {
        guard let index = Self.index(of: token, in: tokens, now: now) else { return false }
        tokens.remove(at: index)
        return true
    }

    private static func add(
        _ digest: Digest, to entries: inout [Entry], until end: Duration, most: Int, now: Duration
    ) {
        entries.removeAll { $0.end <= now }
        if entries.count >= most { entries.removeFirst(entries.count - most + 1) }
        entries.append(Entry(digest: digest, end: end))
    }

    /// Compares with all entries, and with all bytes of each: the time shows neither which one is close nor where it differs.
    private static func index(of digest: Digest, in entries: [Entry], now: Duration) -> Int? {
        var found: Int?
        for (index, entry) in entries.enumerated() {
            let isEqual = ConstantTime.areEqual(entry.digest, other: digest)
            if isEqual, now < entry.end { found = index }
        }
        return found
    }
}

/// Comparisons of secrets.
enum ConstantTime {
    /// The time does not depend on where the two differ.
    static func areEqual(_ one: some Collection<UInt8>, other: some Collection<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(one, other) { difference |= one ^ other }
        return difference == 0
    }
}
