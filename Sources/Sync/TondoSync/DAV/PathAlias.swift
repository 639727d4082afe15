/// A folder has two names where a proxy strips or adds the beginning of paths: the one that is requested, and the one that the server
/// writes in its answers. Ids of paths, see `DAVPath`.
struct PathAlias: Equatable, Sendable {
    private let requested: String
    private let written: String

    /// Both are folders. Nil if they are the same.
    init?(requested: String, written: String) {
        let folders = (DAVPath.folder(requested), DAVPath.folder(written))
        guard folders.0 != folders.1 else { return nil }
        (self.requested, self.written) = folders
    }

    /// What both names begin with instead of each other, so that other folders of the server can be requested, too. It is the name itself
    /// where the names end differently.
    var prefix: PathAlias {
        let parts = [requested, written].map { $0.split(separator: "/", omittingEmptySubsequences: false) }
        let common = zip(parts[0].reversed(), parts[1].reversed()).prefix { $0 == $1 }.count
        let heads = parts.map { $0.dropLast(common).joined(separator: "/") }
        return PathAlias(requested: heads[0], written: heads[1]) ?? self
    }

    /// The id as it is requested; nil for one that lies elsewhere.
    func requested(_ id: String) -> String? { id.hasPrefix(written) ? requested + id.dropFirst(written.count) : nil }

    /// Whether the names differ in their beginnings alone: the last folder is the same, perhaps in other letters of case.
    static func isLikely(_ one: String, _ other: String) -> Bool {
        let names = [one, other].map { DAVPath.folder($0).split(separator: "/").last?.lowercased() }
        return names[0] != nil && names[0] == names[1]
    }
}
