/// The rules by which names are ordered and indexed, from a language tag of a client.
package enum CollationLocale {
    /// The locale for `ContactSort`, such as `sv` for `sv-SE`; empty (the root rules) for languages without rules of their
    /// own, for unknown ones, and for texts that are no tags (BCP 47). So many tags share few orders.
    package static func identifier(_ tag: String) -> String {
        let parts = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
        guard tag.utf8.count <= 64, let language = parts.first, languages.contains(language) else { return "" }
        guard language == "zh" else { return language == "nb" || language == "nn" ? "no" : language }
        let isTraditional = parts.contains("hant") || !parts.contains("hans") && !parts.isDisjoint(with: taiwan)
        return isTraditional ? "zh_Hant" : "zh"
    }

    private static let taiwan: Set<String> = ["tw", "hk", "mo"]

    /// The languages whose standard order differs from the root's (CLDR, common/collation).
    private static let languages = Set(
        """
        am ar as az be bg bn bs ca cs cy da el eo es et fa fi fil fo gl gu ha haw he hi hr hu hy ig is ja ka kk kl km kn ko \
        kok ku ky ln lo lt lv mk ml mn mr mt my nb ne nn no om or pa pl ps ro ru se si sk sl sq sr sv ta te th tk to tr ug \
        uk ur uz vi wo yi yo yue zh
        """.split(separator: " ").map(String.init))
}

extension [String] {
    fileprivate func isDisjoint(with other: Set<String>) -> Bool { other.isDisjoint(with: self) }
}
