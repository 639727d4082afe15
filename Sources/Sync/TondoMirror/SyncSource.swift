package import SystemPackage

/// One table `[sync.NAME]` of the configuration, checked: a source and its mirror. It holds no secret, only where one is.
package struct SyncSource: Codable, Equatable, Sendable {
    /// The protocol of a source, or the program on this machine that keeps the book; `photos` fetches the photos of local books,
    /// and has no server of its own.
    package enum Kind: String, Codable, Sendable {
        case carddav, ldap, evolution, thunderbird, photos

        /// A book of another program on this machine, which has no server, user or password.
        package var isDesktop: Bool { self == .evolution || self == .thunderbird }
    }

    /// How the user is proved to the server; the raw values are those of `auth` in the configuration.
    package enum Authentication: String, Codable, CaseIterable, Sendable {
        /// Basic, or Digest where the server asks for it.
        case auto
        case basic, digest, bearer
        /// LDAP: the client's certificate.
        case external
        case none
    }

    /// Where the password or token is. Nil in all: `NAME` of systemd's credentials, if there is such a file.
    package struct Secret: Codable, Equatable, Sendable {
        /// A file with mode 0600.
        package var file: String?
        /// A program and its arguments; it prints the secret.
        package var command: [String] = []
        /// A name in `$CREDENTIALS_DIRECTORY`.
        package var credential: String?

        package init() {}
    }

    /// The NAME of the table, which is also the name of the mirror's folder.
    package var name: String
    /// Follows from the scheme of `url`, except for `photos`.
    package var kind: Kind
    /// Empty for photos.
    package var url: String
    /// The name at the server; nil: anonymous, or a bearer token, which names its user itself.
    package var user: String?
    /// Read at each run, so that a changed password needs no restart.
    package var secret = Secret()
    /// LDAP takes `external` and `none` only; all other values mean a simple bind there.
    package var authentication = Authentication.auto
    /// Plain http, or LDAP without TLS, beyond loopback.
    package var isInsecure = false
    /// Certificates in PEM that are trusted instead of the system's.
    package var certificates: String?
    /// Changes that are made in the mirror are made at the server, too.
    package var isWritable = false
    /// Hosts of photo URLs; `same-origin` and `any` are words for all of them.
    package var hosts: [String] = []
    /// All further settings of a kind by their names, each a list of texts.
    package var options: [String: [String]] = [:]

    package init(name: String, kind: Kind, url: String) {
        self.name = name
        self.kind = kind
        self.url = url
    }

    /// What follows the scheme: of Evolution, the UID of the book's source; of Thunderbird, the path of the database.
    package var place: String { Self.place(of: url) }

    private static func place(of url: String) -> String { String(url.drop { $0 != ":" }.dropFirst()) }

    /// Why a URL of Evolution or Thunderbird names no book: the end of a sentence about it. Nil: it may name one, or is of another
    /// kind.
    package static func problem(ofBook url: String) -> String? {
        let place = place(of: url)
        switch kind(of: url) {
        case .evolution where !(1...255 ~= place.utf8.count && place.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }):
            return "must be evolution: and the UID of a book, such as evolution:system-address-book"
        case .thunderbird where !place.hasPrefix("/") && !place.hasPrefix("~/") || place.utf8.contains(0):
            return
                "must be thunderbird: and the path of a book, such as thunderbird:~/.thunderbird/PROFILE/abook.sqlite"
        default: return nil
        }
    }

    /// Whether a URL of a server holds a user, and perhaps a password, which would be in each message that names the URL.
    package static func holdsUser(_ url: String) -> Bool {
        url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" }.contains("@")
    }

    /// The schemes of URLs, for people.
    package static let schemes = "https, http, ldaps, ldap, ldapi, evolution or thunderbird"

    /// The kind of a URL, by its scheme.
    package static func kind(of url: String) -> Kind? {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "http", "https": return .carddav
        case "ldap", "ldaps", "ldapi": return .ldap
        case "evolution": return .evolution
        case "thunderbird": return .thunderbird
        default: return nil
        }
    }
}

/// What `tondo` hands over to `tondo-sync`, as JSON in a file that has no name.
package struct SyncOrder: Codable, Equatable, Sendable {
    /// `run` synchronises all sources; `add` checks the first one and writes it to the file of sources.
    package enum Action: String, Codable, Sendable { case run, add }

    /// Decides which of the values below count.
    package var action: Action
    /// For `run` in this order, one after the other; for `add` exactly one.
    package var sources: [SyncSource]
    /// The folder of all mirrors.
    package var folder: String
    /// Address books whose photo URLs are followed.
    package var books: [String] = []
    /// Seconds between runs; nil: one run.
    package var interval: Int?
    /// The sources were named, or a person waits: despite a back-off.
    package var isManual = true
    /// Sources are read, and nothing is written: no mirror, no status, no photo.
    package var isDry = false
    /// One JSON object per source and run goes to the standard output, and no progress to the terminal.
    package var isJSON = false
    /// Deletions need no second run that agrees, see `MirrorOutcome.withheld`.
    package var allowsDeletion = false
    /// The program `tondo`, which makes photos smaller that a server does not take; nil: nothing does.
    package var program: String?
    /// For `add`: the configuration that gets the source.
    package var configuration: String?

    /// `folder`: the folder of all mirrors.
    package init(action: Action, sources: [SyncSource], folder: FilePath) {
        self.action = action
        self.sources = sources
        self.folder = folder.string
    }
}
