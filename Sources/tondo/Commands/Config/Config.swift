import ArgumentParser

/// `tondo config`: questions to the settings of the service.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks and shows the settings of the service.",
        discussion: """
            EXAMPLES
              tondo config check --config tondo.toml    is it right? if not, which line, and why?
              tondo config show                         each value, and where it comes from

            EXIT STATUS
              0    everything is right
              64   wrong usage
              78   something is wrong with the settings
              141  the reader of standard output went away
            """,
        subcommands: [ConfigCheck.self, ConfigShow.self])
}
