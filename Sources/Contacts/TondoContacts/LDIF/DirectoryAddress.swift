/// Addresses of directories.
package enum DirectoryAddress {
    /// Those of mail, in lower case, the main one's first; `proxyAddresses` is apart, since it has addresses of other kinds.
    package static let mailAttributes = [
        "mail", "rfc822mailbox", "mailprimaryaddress", "mozillasecondemail", "xmozillasecondemail",
        "mailalternateaddress", "mailalternativeaddress", "mailalias", "gosamailalternateaddress", "zimbramailalias",
    ]

    /// Those of the date of birth, in lower case: Evolution's, that of academic networks (SCHAC), and others that people add.
    package static let birthdayAttributes = ["birthdate", "dateofbirth", "schacdateofbirth", "birthday"]

    /// The lines of a value of the syntax Postal Address (RFC 4517 section 3.3.28): `$` separates them, `\24` is a dollar
    /// sign, and `\5C` a backslash. Other backslashes are themselves: many writers escape nothing.
    package static func text(of value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "$")) || value.utf8.contains(UInt8(ascii: "\\")) else { return value }
        let lines = value.split(separator: "$", omittingEmptySubsequences: false).map { plain(String($0)).trimmed }
        return lines.joined(separator: "\n")
    }

    private static func plain(_ line: String) -> String {
        line.replacing(/(?i)\\(24|5C)/) { $0.1 == "24" ? "$" : "\\" }
    }
}
