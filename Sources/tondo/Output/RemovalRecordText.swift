import FoundationEssentials
import TondoCache

/// When and why an entry was removed, for humans.
enum RemovalRecordText {
    static func text(_ removalRecord: RemovalRecord) -> String {
        let date = WallClock.local.text(removalRecord.date)
        return switch removalRecord.reason {
        case .size: "was evicted on \(date): least recently used while the cache was over its size limit"
        case .age: "was evicted on \(date): not used for longer than the age limit"
        case .damaged: "was removed on \(date): its bytes were damaged"
        case .removed: "was removed on \(date) on request"
        }
    }
}
