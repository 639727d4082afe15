import ArgumentParser
import Glibc
import SystemPackage

/// `tondo accounts-icon`: the photo of a contact as the picture of a user of this machine.
struct AccountsIcon: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts-icon",
        abstract: "Sets the pictures of users of this machine, as login screens show them, from a book.",
        discussion: """
            EXAMPLES
              tondo accounts-icon ada              what would be set
              tondo accounts-icon ada --yes
              tondo accounts-icon ada --contact ada@example.org --yes
              tondo accounts-icon --all --yes      all users that have logged in

            A user is the contact with the mail address, else with the whole name, that AccountsService has of the user. \
            Without --yes nothing is changed. A contact without a photo gives no picture. For other users than yourself, \
            the system asks for an administrator's password, or refuses. Lines have a user, its name, the picture and what \
            became of it, with tabs between them. Needs the program tondo-dbus.

            \(ExitStatusText.lines([
                (0, "all users have a picture, or would get one"), (1, "a user got none"), (64, "wrong usage"),
                (ExitCode.unavailable.rawValue, "no AccountsService, no such user, or tondo-dbus is not installed"),
                (ExitCode.misconfigured.rawValue, "errors in the configuration"),
            ]))
            """)

    @Argument(help: ArgumentHelp("Login names.", valueName: "user"))
    var users: [String] = []

    @Flag(help: "All users that have logged in.")
    var all = false

    @Option(help: ArgumentHelp("The contact of the user: a mail address, a whole name or an id.", valueName: "contact"))
    var contact: String?

    @Option(help: ArgumentHelp("Points a side, 1 to 512.", valueName: "points"))
    var size = 256

    @Flag(name: .shortAndLong, help: "Set the pictures.")
    var yes = false

    @OptionGroup var file: SettingsFileOption

    func validate() throws {
        if all == !users.isEmpty { throw ValidationError("Name users, or give --all.") }
        if contact != nil, users.count != 1 { throw ValidationError("--contact needs one user.") }
        if contact == "" || users.contains("") { throw ValidationError("A name is empty.") }
        if !(1...512 ~= size) { throw ValidationError("--size \(size): 1 to 512 points.") }
    }

    func run() throws {
        let program = SyncExecution.beside("tondo-dbus").string
        var words = [program, "--icons", "--size", "\(size)"]
        if let config = file.config { words += ["--config", config] }
        if let contact { words += ["--contact", contact] }
        if yes { words.append("--yes") }
        words += ["--"] + users
        execv(program, words.map { strdup($0) } + [nil])
        let reason = Errno(rawValue: errno)
        let isMissing = reason == .noSuchFileOrDirectory
        Terminal.reportError(
            "\(program) \(isMissing ? "is not installed; the Debian package is tondo-dbus" : "cannot be started: \(reason)")"
        )
        throw ExitCode.unavailable
    }
}
