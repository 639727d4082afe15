package import SystemPackage
package import TondoMirror

/// A source of `tondo sync`, `[sync.NAME]`.
package struct SyncSettings: Sendable {
    /// `https`, or `http` on this machine: CardDAV; `ldap`, `ldaps`, `ldapi`: a directory; `evolution`, `thunderbird`: a book of
    /// this program.
    package var url = Setting("url", .text())
    /// For a directory, a distinguished name; nil: no credentials are sent.
    package var user = Setting("user", .text())
    /// Mode 0600. Only one of the three settings for the secret may be set.
    package var passwordFile = Setting("password-file", .path())
    /// A program and its arguments; it prints the secret. Empty: none.
    package var passwordCommand = Setting("password-command", .texts())
    /// A name in `$CREDENTIALS_DIRECTORY` (systemd), not a path.
    package var credential = Setting("credential", .text())
    /// `auto`: Basic, or Digest where the server asks for it.
    package var authentication = Setting("auth", .choice(default: SyncSource.Authentication.auto))
    /// Permits connections without TLS beyond loopback; for LDAP also certificates that are not trusted.
    package var isInsecure = Setting("insecure", .flag(default: false))
    /// A file of certificates in PEM, which are trusted instead of the system's.
    package var certificates = Setting("ca-file", .path())
    /// Whether the connection to a directory begins as `ldap`, and is encrypted before anything is sent.
    package var startsTLS = Setting("starttls", .flag(default: false))
    /// Whether changes of contacts in the mirror are made at the server, too.
    package var isWritable = Setting("writable", .flag(default: false))
    /// Whose photo URLs are followed.
    package var hosts = Setting("photo-hosts", .texts())

    /// The name of `photo-hosts` before.
    static let formerHosts = "hosts"

    /// Words that are commands of `tondo sync`.
    private static let reserved = ["add", "discover", "remove", "run", "status", "help"]

    /// The environment variable that names the program.
    package static let variables = ["TONDO_SYNC"]

    /// Whether a source may have this name: it is also the name of a folder. Commands of `tondo sync` are refused,
    /// since the same place of the command line takes names.
    package static func isName(_ text: String) -> Bool { MirrorLayout.isName(text) && !reserved.contains(text) }

    /// What the file sets.
    var configured: [(name: String, entry: SettingEntry)] { entries.filter { $0.entry.origin != .builtIn } }

    /// Why the settings do not fit each other. `origin`: of the table.
    func problems(at origin: SettingOrigin) -> [SettingsProblem] {
        var reasons: [String] = []
        if let url = url.value {
            let kind = SyncSource.kind(of: url)
            if kind == nil { reasons.append("url must begin with \(SyncSource.schemes)") }
            let isDesktop = kind?.isDesktop == true
            if isDesktop, user.value != nil { reasons.append("user is for servers: the book is on this machine") }
            if let problem = SyncSource.problem(ofBook: url) { reasons.append("url \(problem)") }
            if !isDesktop, SyncSource.holdsUser(url) {
                reasons.append("url must hold no user and no password; there is the setting user")
            }
        } else if hosts.value.isEmpty {
            reasons.append("a source needs url, or photo-hosts for the photos of books")
        }
        let secrets = [passwordFile.entry, credential.entry].compactMap(\.self).count
        if secrets + (passwordCommand.value.isEmpty ? 0 : 1) > 1 {
            reasons.append("only one of password-file, password-command and credential")
        }
        if startsTLS.value, url.value?.lowercased().hasPrefix("ldap://") != true {
            reasons.append("starttls needs a url that begins with ldap://")
        }
        if isWritable.value, url.value.flatMap(SyncSource.kind(of:)) != .carddav {
            reasons.append("writable is for CardDAV: all other sources are only read")
        }
        if credential.value?.contains("/") == true { reasons.append("credential is a name, not a path") }
        return reasons.map { SettingsProblem(origin: origin, reason: $0) }
    }

    /// Nil if it is neither a server nor photos.
    package func source(_ name: String) -> SyncSource? {
        // A source without a server fetches the photos of books.
        guard let kind = url.value.map(SyncSource.kind(of:)) ?? .photos else { return nil }
        var source = SyncSource(name: name, kind: kind, url: url.value ?? "")
        source.user = user.value
        source.secret.file = passwordFile.value?.string
        source.secret.command = passwordCommand.value
        source.secret.credential = credential.value
        source.authentication = authentication.value
        source.isInsecure = isInsecure.value
        source.certificates = certificates.value?.string
        source.isWritable = isWritable.value
        source.hosts = hosts.value
        if startsTLS.value { source.options["starttls"] = ["true"] }
        return source
    }
}

extension SyncSettings: SettingTable {
    static let rows: [SettingRow<Self>] = [
        .init(\.url), .init(\.user), .init(\.passwordFile), .init(\.passwordCommand), .init(\.credential),
        .init(\.authentication), .init(\.isInsecure), .init(\.certificates), .init(\.startsTLS), .init(\.isWritable),
        .init(\.hosts),
    ]
}
