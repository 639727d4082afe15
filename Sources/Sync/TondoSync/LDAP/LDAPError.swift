/// Why a directory could not be read. The texts hold no password.
package enum LDAPError: Error, Equatable, Sendable, CustomStringConvertible {
    case url(LDAPURL.Problem)
    /// Without TLS, the password and all people would be readable on the way.
    case plain(server: String)
    /// No connection, or it was lost.
    case unreachable(String)
    /// The certificate is not trusted, or the handshake failed.
    case tls(String)
    /// The server refuses name and password; trying again may lock the account.
    case credentials(String)
    /// The server refuses the account, whatever its password: it is locked, for example, which passes.
    case account(String)
    /// The server sent a part of the entries, and ended with result 4.
    case sizeLimit(entries: Int)
    /// No answer in time.
    case timeout(seconds: Int)
    /// What the server sent is not LDAP.
    case malformed
    case stopped
    /// Another result code (RFC 4511 appendix A).
    case result(Int32, String)

    /// The word of `status.json` and `--json`.
    package var code: String {
        switch self {
        case .url: "ldap-url"
        case .plain: "ldap-plain"
        case .unreachable: "ldap-unreachable"
        case .tls: "ldap-tls"
        case .credentials: "ldap-credentials"
        case .account: "ldap-account"
        case .sizeLimit: "ldap-size-limit"
        case .timeout: "ldap-timeout"
        case .malformed: "ldap-malformed"
        case .stopped: "stopped"
        case .result: "ldap-result"
        }
    }

    /// One line in English. What the server says in it is ASCII without line breaks.
    package var description: String {
        switch self {
        case .url(let problem): problem.description
        case .plain(let server):
            "\(server) would be used without TLS: use ldaps://, --starttls (starttls = true), or --insecure (insecure = true)"
        case .unreachable(let reason): "the server is unreachable: \(reason)"
        case .tls(let reason): "TLS failed: \(reason)"
        case .credentials(let reason): "the server refused the user or the password: \(reason)"
        case .account(let reason): "the server does not let the user in: \(reason)"
        case .sizeLimit(let entries):
            "the server's size limit ended the answer after \(entries) entries: they are mirrored, and nothing is deleted;"
                + " raise the limit of this user, or split the mirror by filters"
        case .timeout(let seconds): "the server sent nothing for \(seconds) s"
        case .malformed: "the server's answer is malformed"
        case .stopped: "stopped"
        case .result(let code, let reason): "the server answered with result \(code): \(reason)"
        }
    }

    /// A later try can succeed without a change of the configuration.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .timeout, .malformed, .stopped: true
        // busy, unavailable
        case .result(let code, _): code == 51 || code == 52
        case .url, .plain, .tls, .credentials, .account, .sizeLimit: false
        }
    }
}

/// Result codes (RFC 4511 appendix A, RFC 4533 section 2.6).
enum LDAPCode {
    static let success: Int32 = 0
    static let timeLimit: Int32 = 3
    static let sizeLimit: Int32 = 4
    static let adminLimit: Int32 = 11
    static let constraintViolation: Int32 = 19
    static let protocolError: Int32 = 2
    static let unavailableCriticalExtension: Int32 = 12
    static let noSuchObject: Int32 = 32
    static let inappropriateAuthentication: Int32 = 48
    static let invalidCredentials: Int32 = 49
    static let unwillingToPerform: Int32 = 53
    static let syncRefreshRequired: Int32 = 4096
    /// Servers answer so to a search with pages, or to the cookie of one, that works without pages.
    static let ofPages = [protocolError, unavailableCriticalExtension, unwillingToPerform]
}

/// What the number means with which Active Directory explains its one result for all refusals: `..., data 775, v4563`.
enum ActiveDirectoryReason {
    private static let accounts = [
        "530": "the account may not log on at this time", "531": "the account may not log on from this machine",
        "532": "the password has expired", "533": "the account is disabled", "701": "the account has expired",
        "773": "the password has to be changed first", "775": "the account is locked",
    ]

    /// Nil: the user or the password is wrong, or the server is another one.
    static func account(_ diagnostic: String) -> String? {
        let data = diagnostic.split(separator: ",").filter { $0.hasPrefix(" data ") }
        return data.first.flatMap { accounts[String($0.dropFirst(" data ".count))] }
    }
}
