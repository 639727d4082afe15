internal import Synchronization
internal import TondoAvatars
internal import TondoCache
internal import TondoImage

/// The keys of the contacts' avatars in the style of the viewer, as far as they are known: a client that knows the key
/// needs no request for an avatar that it has. Usable from any thread.
final class AvatarKeys: Sendable {
    /// By scale.
    struct Keys: Equatable, Sendable {
        var one: CacheKey?
        var two: CacheKey?

        /// Other scales have no key.
        mutating func set(_ key: CacheKey, scale: Int) {
            switch scale {
            case 1: one = key
            case 2: two = key
            default: break
            }
        }

        /// An object for clients.
        var json: [UInt8] {
            var json: [UInt8] = []
            json.reserveCapacity(160)
            append(to: &json)
            return json
        }

        func append(to json: inout [UInt8]) {
            json.append(UInt8(ascii: "{"))
            if let one { Self.append("\"1\":\"", key: one, to: &json) }
            if one != nil, two != nil { json.append(UInt8(ascii: ",")) }
            if let two { Self.append("\"2\":\"", key: two, to: &json) }
            json.append(UInt8(ascii: "}"))
        }

        private static func append(_ name: String, key: CacheKey, to json: inout [UInt8]) {
            json += name.utf8
            key.appendHexadecimal(to: &json)
            json.append(UInt8(ascii: "\""))
        }
    }

    /// Points of a side.
    static let size = Style.usualSize

    private let keys = Mutex<[String: Keys]>([:])

    func keys(of id: String) -> Keys? { keys.withLock { $0[id] } }

    /// The key of the avatar in this style.
    func key(_ style: Style, of id: String) -> CacheKey? {
        guard style == AvatarQuery.viewerStyle(scale: style.scale), let keys = keys(of: id) else { return nil }
        return style.scale == 1 ? keys.one : style.scale == 2 ? keys.two : nil
    }

    /// The keys of all contacts.
    var all: [String: Keys] { keys.withLock { $0 } }

    func learns(_ style: Style) -> Bool { style == AvatarQuery.viewerStyle(scale: style.scale) }

    /// Ignores avatars in other styles. Returns whether the key is a new one.
    @discardableResult
    func learn(_ key: CacheKey, style: Style, of id: String) -> Bool {
        guard learns(style) else { return false }
        return keys.withLock { keys in
            let old = keys[id]
            var new = old ?? Keys()
            new.set(key, scale: style.scale)
            guard new != old, new != Keys() else { return false }
            keys[id] = new
            return true
        }
    }

    /// The contact has another photo, or none.
    func forget(_ id: String) {
        _ = keys.withLock { $0.removeValue(forKey: id) }
    }
}
