import ArgumentParser

/// The path of the configuration file.
struct SettingsFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file (default: ~/.config/tondo/tondo.toml, else /etc/tondo/tondo.toml, if it exists).",
            valueName: "file"),
        completion: .file())
    var config: String?

    func validate() throws {
        if config == "" { throw ValidationError("--config needs a name.") }
    }
}
