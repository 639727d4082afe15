internal import TondoFiles
package import TondoMirror

/// Why a source was not synchronised. Its mirror stays as it is.
package enum SyncError: Error, CustomStringConvertible {
    case http(HTTPError)
    case secret(SecretError)
    case mirror(MirrorError)
    case ldap(LDAPError)
    case desktop(DesktopError)
    /// 401. `schemes`: those that the server asks for, where it takes neither Basic nor Digest; else empty. `isAnonymous`: no user was
    /// sent. `said`: the reason that the server gives.
    case unauthorized(host: String, schemes: [String] = [], isAnonymous: Bool = false, said: String? = nil)
    /// `said`: the reason that the server gives.
    case status(Int, request: String, said: String? = nil)
    /// 429 or 503: the server names the time of the next request.
    case later(seconds: Int)
    /// The answer is no multistatus, or is not well-formed.
    case malformed(String)
    /// A full listing without the collection itself.
    case emptyListing(String)
    case noAddressBook(String)
    case unsupported(String)
    case cancelled

    /// Runs a call, and turns whatever it throws into a `SyncError`.
    static func converting<Result>(_ body: () throws -> Result) throws(SyncError) -> Result {
        do { return try body() } catch let error as SyncError { throw error } catch let error as HTTPError {
            throw error == .cancelled ? .cancelled : .http(error)
        } catch let error as SecretError { throw .secret(error) } catch let error as MirrorError {
            throw .mirror(error)
        } catch let error as DesktopError { throw .desktop(error) } catch let error as LDAPError {
            throw error == .stopped ? .cancelled : .ldap(error)
        } catch {
            throw (error as? FileError).map { .mirror(.file($0)) } ?? .malformed("\(error)")
        }
    }

    /// The word of `status.json` and `--json`; that of the cause, where there is one.
    package var code: String {
        switch self {
        case .http(let error): error.code
        case .secret(let error): error.code
        case .mirror(let error): error.code
        case .ldap(let error): error.code
        case .desktop(let error): error.code
        case .unauthorized: "unauthorized"
        case .status: "refused"
        case .later: "later"
        case .malformed: "answer-malformed"
        case .emptyListing: "listing-empty"
        case .noAddressBook: "no-address-book"
        case .unsupported: "unsupported"
        case .cancelled: "cancelled"
        }
    }

    /// One line in English; it holds no secret, and parts that a server sent.
    package var description: String {
        switch self {
        case .http(let error): "\(error)"
        case .secret(let error): "\(error)"
        case .mirror(let error): "\(error)"
        case .ldap(let error): "\(error)"
        case .desktop(let error): "\(error)"
        case .unauthorized(let host, _, true, _): "\(host) asks for a user and a password, and the source has no user"
        case .unauthorized(let host, let schemes, _, let said):
            "\(host) refuses the user or the password" + (said.map { " (\($0))" } ?? "")
                + (schemes.isEmpty ? "" : "; it asks for \(schemes.joined(separator: ", "))")
        case .status(let status, let request, let said):
            "the server answered \(request) with status \(status)" + (said.map { " (\($0))" } ?? "")
        case .later(let seconds): "the server asks to come again in \(seconds) s"
        case .malformed(let reason): "the server's answer cannot be read: \(reason)"
        case .emptyListing(let path): "the server's listing of \(path) does not even hold the collection itself"
        case .noAddressBook(let url): "there is no address book at \(url)"
        case .unsupported(let reason): reason
        case .cancelled: "interrupted"
        }
    }

    /// What a 401 means.
    static func refusal(of response: HTTPResponse, isAnonymous: Bool = false) -> SyncError {
        let challenges = response.headers.all("www-authenticate")
        let isOurs = ["basic", "digest"].contains { challenges.joined().lowercased().contains($0) }
        let schemes = challenges.prefix(5).map { String($0.prefix { $0.isASCII && $0.isLetter }.prefix(20)) }
        return .unauthorized(
            host: response.url.origin.host, schemes: isOurs ? [] : schemes.filter { !$0.isEmpty },
            isAnonymous: isAnonymous, said: DAVReason.text(of: response.body))
    }

    /// The codes of refusals.
    static let refusals = ["unauthorized", "ldap-credentials"]

    /// The server refuses the user or the secret: to send them again may lock the account.
    package var isRefusal: Bool {
        switch self {
        case .unauthorized, .ldap(.credentials): true
        default: false
        }
    }

    /// Whether the same request may succeed a moment later.
    var isTransient: Bool {
        switch self {
        case .http(let error): error.isTransient
        case .ldap(let error): error.isTransient
        case .status(let status, _, _): Self.isTransient(status: status)
        default: false
        }
    }

    /// Statuses of a moment: of time-outs, and of servers and proxies that fail, also of those that have numbers of their own
    /// (Cloudflare's 520 to 530). Those of 5xx that are about the request are none.
    static func isTransient(status: Int) -> Bool {
        [408, 425].contains(status) || 500...599 ~= status && ![501, 505, 506, 507, 508, 510, 511].contains(status)
    }
}
