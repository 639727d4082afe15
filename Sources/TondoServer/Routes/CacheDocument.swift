internal import FoundationEssentials
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoImage
internal import TondoText

/// Reports of the cache, without file names.
enum CacheDocument {
    static func bytes(_ statistics: Statistics) -> [UInt8] {
        var object = JSONObject()
        object.add("entries", statistics.entries)
        object.add("bytes", statistics.bytes)
        object.add("hits", statistics.hits)
        object.add("misses", statistics.misses)
        object.add("damaged", statistics.damaged)
        object.add("evicted", statistics.evicted)
        object.add("failures", statistics.failures.values.reduce(0, +))
        object.add("failureBytes", statistics.failureBytes)
        object.add(
            "styles",
            statistics.styles.map { style in
                var object = JSONObject()
                object.add("style", style.style)
                object.add("side", style.side)
                object.add("entries", style.entries)
                object.add("bytes", style.bytes)
                return object
            })
        return object.bytes
    }

    static func bytes(_ entry: Entry, damage: String?) -> [UInt8] {
        var object = JSONObject()
        add(entry, to: &object)
        object.add("damage", damage)
        return object.bytes
    }

    /// A contact without a photo gets the silhouette, which has no entry of its own.
    static let noPhoto = JSONResponse.array([Array(#"{"verdict":"miss","reason":"there is no photo"}"#.utf8)])

    static func bytes(_ explanation: CacheExplainer.Explanation) -> [UInt8] {
        var object = JSONObject()
        let (word, reason) = word(explanation.verdict)
        object.add("verdict", word)
        object.add("reason", reason)
        object.add("key", explanation.key?.hexadecimal)
        object.add("recipe", explanation.recipe?.text)
        object.add("departed", explanation.removalRecord?.reason.rawValue)
        if let nearest = explanation.nearest {
            var entry = JSONObject()
            add(nearest.entry, to: &entry)
            object.add("nearest", entry)
            object.add(
                "differences",
                nearest.differences.map { difference in
                    var object = JSONObject()
                    object.add("name", difference.name)
                    object.add("wanted", difference.wanted)
                    object.add("found", difference.found)
                    return object
                })
        }
        return object.bytes
    }

    private static func word(_ verdict: CacheExplainer.Verdict) -> (String, reason: String?) {
        switch verdict {
        case .hit: ("hit", nil)
        case .damaged(let reason): ("damaged", reason)
        case .negativeEntry(let failure): ("failed", failure.reason)
        case .undrawable(let error): ("undrawable", error.description)
        case .miss: ("miss", nil)
        }
    }

    private static func add(_ entry: Entry, to object: inout JSONObject) {
        object.add("key", entry.key.hexadecimal)
        object.add("recipe", entry.recipe.text)
        object.add("bytes", entry.size)
        object.add("created", Int(entry.created.timeIntervalSince1970))
        object.add("used", Int(entry.used.timeIntervalSince1970))
        object.add("contacts", entry.contacts)
    }
}
