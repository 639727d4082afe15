import TondoAvatars

/// In what the nearest entry differs from the wanted one, for people.
enum DifferenceText {
    /// One line a difference. What only follows from another difference is left out.
    static func lines(_ differences: [NearestEntry.Difference]) -> [String] {
        let ring = differences.first { $0.name == "ring" }
        let inset = differences.first { $0.name == "inset" }
        return differences.filter { difference in
            switch difference.name {
            case "ring-color": ring.map { $0.wanted != nil && $0.found != nil } ?? true
            case "inset": !follows(inset, from: ring)
            default: true
            }
        }.map(line)
    }

    /// A ring that is wider by so much takes so much more room.
    private static func follows(_ inset: NearestEntry.Difference?, from ring: NearestEntry.Difference?) -> Bool {
        guard let ring, let inset else { return false }
        guard let wantedRing = pixels(ring.wanted), let foundRing = pixels(ring.found) else { return true }
        guard let wanted = pixels(inset.wanted), let found = pixels(inset.found) else { return false }
        return wanted - found == wantedRing - foundRing
    }

    private static func pixels(_ value: String?) -> Double? { value.flatMap { Double($0) } }

    private static func line(_ difference: NearestEntry.Difference) -> String {
        let (wanted, found) = (difference.wanted ?? "none", difference.found ?? "none")
        return switch difference.name {
        case "photo": "other bytes: the photo in the cache is another one, or this one before it changed"
        case "renderer": "other renderer: the entry was drawn by version \(found), this is version \(wanted)"
        case "decode": "other decode: at \(wanted) now, \(found) in the cache; the largest size drawn together sets it"
        case "side": "other size: \(wanted) pixels wanted, \(found) in the cache"
        case "ring" where difference.wanted == nil: "no ring wanted; in the cache it has one of \(found) pixels"
        case "ring" where difference.found == nil: "a ring of \(wanted) pixels wanted; in the cache it has none"
        case "ring": "other ring width: \(wanted) pixels wanted, \(found) in the cache"
        case "ring-color": "other ring colour: \(wanted) wanted, \(found) in the cache"
        case "inset": "other room for ring and gap: \(wanted) pixels wanted, \(found) in the cache"
        default: "other \(difference.name): \(wanted) wanted, \(found) in the cache"
        }
    }
}
