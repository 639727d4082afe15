import TondoAvatars

/// The differences between the nearest entry and the requested avatar, for humans.
enum DifferenceText {
    /// One line per difference. Differences that only follow from another one are left out.
    static func lines(of differences: [NearestEntry.Difference]) -> [String] {
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

    /// A ring that is wider by some pixels needs exactly that many pixels more room.
    private static func follows(_ inset: NearestEntry.Difference?, from ring: NearestEntry.Difference?) -> Bool {
        guard let ring, let inset else { return false }
        guard let wantedRing = pixels(ring.wanted), let foundRing = pixels(ring.found) else { return true }
        guard let wanted = pixels(inset.wanted), let found = pixels(inset.found) else { return false }
        return wanted - found == wantedRing - foundRing
    }

    private static func pixels(_ value: String?) -> Double? { value.flatMap { Double($0) } }

    private static func line(of difference: NearestEntry.Difference) -> String {
        let (wanted, found) = (difference.wanted ?? "none", difference.found ?? "none")
        return switch difference.name {
        case "photo": "other bytes: the entry is from another photo, or from this one before it changed"
        case "renderer": "other renderer: the entry was drawn by version \(found), this is version \(wanted)"
        case "decode": "other decode: at \(wanted) now, \(found) in the cache; the largest size of one request sets it"
        case "side": "other size: \(wanted) pixels requested, \(found) in the cache"
        case "crop":
            "other crop: \(CropText.text(wanted)) requested, \(CropText.text(found)) in the cache"
        case "ring" where difference.wanted == nil: "no ring requested; the entry has one of \(found) pixels"
        case "ring" where difference.found == nil: "a ring of \(wanted) pixels requested; the entry has none"
        case "ring": "other ring width: \(wanted) pixels requested, \(found) in the cache"
        case "ring-color": "other ring colour: \(wanted) requested, \(found) in the cache"
        case "inset": "other room for ring and gap: \(wanted) pixels requested, \(found) in the cache"
        default: "other \(difference.name): \(wanted) requested, \(found) in the cache"
        }
    }
}
