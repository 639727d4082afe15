/// What a server can do, from its root entry (RFC 4512 section 5.1).
package struct DirectoryFeatures: Equatable, Sendable {
    /// RFC 2696.
    package var pages = true
    /// RFC 4533.
    package var synchronises = false
    /// True for a domain controller; AD LDS announces another capability.
    package var isActiveDirectory = false

    /// Where all entries are, for a server that finds none below nothing; nil: unknown, or in several trees.
    package var context: String?

    package init() {}

    static let attributes = ["supportedControl", "supportedCapabilities", "namingContexts", "defaultNamingContext"]

    init(_ root: LDAPEntry) {
        let controls = root.texts("supportedcontrol")
        // Simple Paged Results (RFC 2696).
        pages = controls.contains("1.2.840.113556.1.4.319")
        // Content Synchronization (RFC 4533).
        synchronises = controls.contains("1.3.6.1.4.1.4203.1.9.1.1")
        // MS-ADTS 3.1.1.3.4.3.1
        isActiveDirectory = root.texts("supportedcapabilities").contains("1.2.840.113556.1.4.800")
        // Those of the server itself begin with cn, such as cn=config.
        let trees = root.texts("namingcontexts").filter { !$0.lowercased().hasPrefix("cn=") }
        context = root.text("defaultnamingcontext") ?? (trees.count == 1 ? trees.first : nil)
    }

    /// All people. In Active Directory, computers are persons, too; other servers would find no entry by a filter that
    /// excludes a class they do not know.
    package var people: String { isActiveDirectory ? "(objectCategory=person)" : "(objectClass=person)" }

    /// The attribute with the time of an entry's last change, which a filter can compare. Active Directory computes
    /// modifyTimestamp, and does not search for it.
    package var changeTime: String { isActiveDirectory ? "whenChanged" : "modifyTimestamp" }
}
