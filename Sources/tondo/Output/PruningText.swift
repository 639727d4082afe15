import TondoCache
import TondoText

/// The result of pruning, for humans.
enum PruningText {
    static func text(_ pruning: AvatarCache.Pruning, isTrial: Bool) -> String {
        let failures = pruning.failures > 0 ? ", \(Self.failures(pruning.failures))" : ""
        return "\(entries(pruning.entries)) (\(ByteAmount.text(pruning.bytes)))\(failures) "
            + "\(isTrial ? "would be removed" : "removed"); "
            + "\(entries(pruning.entriesLeft)) (\(ByteAmount.text(pruning.bytesLeft))) left\n"
    }

    /// The removed entries, without their bytes.
    static func removed(_ pruning: AvatarCache.Pruning) -> String {
        entries(pruning.entries) + (pruning.failures > 0 ? ", \(failures(pruning.failures))" : "")
    }

    static func failures(_ count: Int) -> String { count == 1 ? "1 failure" : "\(Quantities.count(count)) failures" }

    private static func entries(_ count: Int) -> String {
        count == 1 ? "1 entry" : "\(Quantities.count(count)) entries"
    }
}

/// The same for scripts.
struct PruningDocument: Encodable {
    var removed: Int
    var bytes: Int
    var failures: Int
    var left: Int
    var failuresLeft: Int
    var bytesLeft: Int
    var dryRun: Bool

    init(_ pruning: AvatarCache.Pruning, isTrial: Bool) {
        (removed, bytes, failures) = (pruning.entries, pruning.bytes, pruning.failures)
        (left, failuresLeft) = (pruning.entriesLeft, pruning.failuresLeft)
        (bytesLeft, dryRun) = (pruning.bytesLeft, isTrial)
    }
}
