internal import CBus
internal import Glibc
internal import SystemPackage
internal import TondoAvatars

/// `tondo accounts-icon`: gives users of this machine the photos of their contacts, or lists what it would do.
struct AccountIcons {
    private struct Account {
        let path: String
        let name: String
        let realName: String
        let email: String

        init(_ user: cbus_user) {
            path = String(cString: user.path)
            name = String(cString: user.name)
            realName = String(cString: user.real_name)
            email = String(cString: user.email)
        }
    }

    /// What C adds to.
    private final class AccountList { var accounts: [Account] = [] }

    let options: Options
    let lookup: AvatarLookup

    /// A larger one is refused by the daemon (AccountsService, user.c).
    private static let largest = 1 << 20

    /// Ends with status 1 if a user got no picture.
    func run() throws(Ending) {
        var isWhole = true
        for account in try accounts() {
            let (path, state) = result(for: account)
            isWhole = isWhole && path != nil
            let line = [account.name, account.realName, path?.string ?? "", state].joined(separator: "\t")
            _ = try? FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
        }
        if !isWhole { throw Ending(status: 1, text: "") }
    }

    private func accounts() throws(Ending) -> [Account] {
        let names: [String?] = options.users.isEmpty ? [nil] : options.users
        let list = AccountList()
        for name in names {
            var reason = [CChar](repeating: 0, count: Int(CBUS_REASON))
            let context = Unmanaged.passUnretained(list).toOpaque()
            let failure = cbus_users(
                name,
                { context, user in
                    guard let context, let user else { return }
                    let list = Unmanaged<AccountList>.fromOpaque(context).takeUnretainedValue()
                    list.accounts.append(Account(user.pointee))
                }, context, &reason)
            if failure != 0 {
                throw .unavailable("org.freedesktop.Accounts: \(name.map { $0 + ": " } ?? "")\(Self.text(reason))")
            }
        }
        return list.accounts
    }

    /// Nil, and why: the user gets no picture.
    private func result(for account: Account) -> (path: FilePath?, state: String) {
        let path: FilePath
        do throws(AvatarLookup.Problem) { path = try photo(of: account) } catch { return (nil, error.text) }
        var status = stat()
        guard stat(path.string, &status) == 0, status.st_size <= Self.largest else {
            return (nil, "the picture has more than 1 MB")
        }
        if !options.isConfirmed { return (path, "would be set") }
        var reason = [CChar](repeating: 0, count: Int(CBUS_REASON))
        let failure = cbus_set_icon(account.path, path.string, &reason)
        return failure == 0 ? (path, "set") : (nil, Self.text(reason))
    }

    /// By the named contact, else by the mail address and then by the name that the machine has of the user.
    private func photo(of account: Account) throws(AvatarLookup.Problem) -> FilePath {
        var last = AvatarLookup.Problem.notFound("the user has no mail address and no name")
        let pairs =
            options.contact.map { [($0.contains("@") ? "mail" : "name", $0), ("id", $0)] }
            ?? [("mail", account.email), ("name", account.realName)]
        for (kind, value) in pairs where !value.isEmpty {
            do throws(AvatarLookup.Problem) {
                let query = try AvatarLookup.Query(kind: kind, value: value, size: options.size, scale: 1)
                return try lookup.path(query, needsPhoto: true)
            } catch { last = error }
        }
        throw last
    }

    private static func text(_ reason: [CChar]) -> String {
        String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
