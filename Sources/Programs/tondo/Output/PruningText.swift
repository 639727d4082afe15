import TondoCache
import TondoText

/// The result of pruning, for humans.
enum PruningText {
    static func text(of pruning: AvatarCache.Pruning, isTrial: Bool) -> String {
        let failures = pruning.failures > 0 ? ", \(Quantities.counted(pruning.failures, of: "failure"))" : ""
        return "\(Quantities.entries(pruning.entries)) (\(ByteAmount.text(pruning.bytes)))\(failures) "
            + "\(isTrial ? "would be removed" : "removed"); "
            + "\(Quantities.entries(pruning.entriesLeft)) (\(ByteAmount.text(pruning.bytesLeft))) left\n"
    }

    /// The removed entries, without their bytes.
    static func removed(_ pruning: AvatarCache.Pruning) -> String {
        Quantities.entries(pruning.entries)
            + (pruning.failures > 0 ? ", \(Quantities.counted(pruning.failures, of: "failure"))" : "")
    }
}

/// What pruning removed, for scripts.
struct PruningDocument: Encodable {
    var removed: Int
    var bytes: Int
    var failures: Int
    var left: Int
    var failuresLeft: Int
    var bytesLeft: Int
    var dryRun: Bool

    init(pruning: AvatarCache.Pruning, isTrial: Bool) {
        removed = pruning.entries
        bytes = pruning.bytes
        failures = pruning.failures
        left = pruning.entriesLeft
        failuresLeft = pruning.failuresLeft
        bytesLeft = pruning.bytesLeft
        dryRun = isTrial
    }
}
