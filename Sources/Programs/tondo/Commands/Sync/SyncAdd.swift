import ArgumentParser
import SystemPackage
import TondoConfiguration
import TondoFiles
import TondoMirror

/// `tondo sync add`
struct SyncAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Finds the address books of an account, the people of a directory, or a program's book, and adds it.",
        discussion: """
            EXAMPLES
              tondo sync add work https://dav.example.org --user ada
              tondo sync add home example.org --user ada@example.org   by the domain's DNS
              tondo sync add team dav.example.org --user ada --password-command 'pass dav'
              tondo sync add staff ldaps://ldap.example.org/dc=example --user cn=reader
              tondo sync add gnome evolution:system-address-book
              tondo sync add mail thunderbird:$HOME/.thunderbird/x1.default/abook.sqlite

            The URL is one of an address book, an account or a server, or of a directory (LDAP), where no user means an \
            anonymous bind, or of a book of Evolution or Thunderbird on this machine; 'tondo sync discover' finds those. The password is asked for on the terminal, or read from standard input, and kept in the folder \
            'secrets' beside the configuration, in a file that only this user can read; with --password-file or \
            --password-command, it stays where it is.

            \(ExitStatusText.lines([
                (0, "added"), (1, "the server cannot be reached, refuses the password, or has no address book; or a book cannot be read"),
                (64, "wrong usage, or there is a source of this name"),
                (ExitCode.unavailable.rawValue, "the program tondo-sync is not installed"),
                (ExitCode.misconfigured.rawValue, "errors in the configuration"), (130, "interrupted"),
            ]))
            """)

    @Argument(help: ArgumentHelp("A name for the source: a...z, 0...9 and hyphens.", valueName: "name"))
    var name: String

    @Argument(
        help: ArgumentHelp("The server's URL, a domain, or a mail address, which is the user, too.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The user of the account.", valueName: "user"))
    var user: String?

    @Option(help: ArgumentHelp("A file of mode 0600 that holds the password.", valueName: "file"), completion: .file())
    var passwordFile: String?

    @Option(help: ArgumentHelp("A command, with its words, that prints the password.", valueName: "command"))
    var passwordCommand: String?

    @Option(
        help: ArgumentHelp(
            "Certificates in PEM that are trusted instead of the system's.", valueName: "file"), completion: .file())
    var caFile: String?

    @Flag(name: .customLong("starttls"), help: "Of a directory: encrypt a connection that begins with ldap://.")
    var startsTLS = false

    @Flag(help: "Permit plain http or ldap to another machine: the password can be read on the way.")
    var insecure = false

    @OptionGroup var file: SettingsFileOption

    func validate() throws {
        if !SyncSettings.isName(name) {
            throw ValidationError(
                "'\(name)' is no name for a source: a...z, 0...9 and hyphens, and no command of sync.")
        }
        if passwordFile != nil, passwordCommand != nil {
            throw ValidationError("--password-file and --password-command exclude each other.")
        }
    }

    func run() throws {
        StandardStreams.prepare()
        // A file that is to be created.
        let isNew =
            file.config.map { path in
                [path, SourcesFile.path(beside: path)].allSatisfy { FileStatus(FilePath($0)) == nil }
            } ?? false
        let setup = try SyncSetup(isNew ? "/dev/null" : file.config)
        if setup.configuration.sync[name] != nil {
            Terminal.reportError("the configuration has a source '\(name)' already")
            throw ExitCode.validationFailure
        }
        let address = Address(url, user: user)
        let url = address.url
        let isDesktop = SyncSource.kind(of: url)?.isDesktop == true
        let whole = isDesktop || url.contains("://") ? url : "https://\(url)/"
        if !isDesktop, SyncSource.holdsUser(whole) {
            Terminal.reportError("the URL must hold no user and no password: there is --user")
            throw ExitCode.validationFailure
        }
        var source = SyncSource(name: name, kind: .carddav, url: whole)
        let problem = isDesktop && address.user != nil ? "needs no --user" : SyncSource.problem(ofBook: whole)
        guard let kind = SyncSource.kind(of: whole), problem == nil else {
            Terminal.reportError("the URL \(problem ?? "must begin with \(SyncSource.schemes)")")
            throw ExitCode.validationFailure
        }
        if startsTLS, !source.url.lowercased().hasPrefix("ldap://") {
            Terminal.reportError("--starttls needs a URL that begins with ldap://")
            throw ExitCode.validationFailure
        }
        source.kind = kind
        if startsTLS { source.options["starttls"] = ["true"] }
        source.user = address.user
        // Absolute: a run begins in another folder.
        source.secret.file = passwordFile.map { FilePath($0).withoutLinks.string }
        source.secret.command = passwordCommand?.split(separator: " ").map(String.init) ?? []
        source.certificates = caFile.map { FilePath($0).withoutLinks.string }
        source.isInsecure = insecure
        var order = SyncOrder(action: .add, sources: [source], folder: setup.folder)
        order.configuration = try target(setup)
        try SyncExecution.execute(order)
    }

    /// The file that was read, else the user's.
    private func target(_ setup: SyncSetup) throws -> String {
        if let file = file.config ?? setup.file { return file }
        guard let folder = StandardPaths(environment: setup.configuration.environment).configuration else {
            Terminal.reportError("no configuration file: use --config, or set the variable HOME")
            throw ExitCode.misconfigured
        }
        return folder.pushing("tondo/tondo.toml").string
    }
}

/// What a user names: a URL, perhaps with the blanks of a copy, or a mail address, whose domain knows the server (RFC 6764).
private struct Address {
    let url: String
    let user: String?

    init(_ text: String, user: String?) {
        let blank: (Character) -> Bool = { $0.isWhitespace }
        let text = String(text.drop(while: blank).reversed().drop(while: blank).reversed())
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isMail = parts.count == 2 && !parts.contains("") && !text.contains("/") && !text.contains(":")
        url = isMail ? String(parts[1]) : text
        self.user = user ?? (isMail ? text : nil)
    }
}
