import ArgumentParser

/// `tondo config`: checking and showing the configuration of the service.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Checks and shows the configuration of the service.",
        discussion: """
            EXAMPLES
              tondo config check --config tondo.toml    report errors with their lines
              tondo config show                         each value and its origin

            EXIT STATUS
              0    no errors
              64   wrong usage
              78   errors in the configuration
              141  standard output was closed
            """,
        subcommands: [ConfigCheck.self, ConfigShow.self])
}
