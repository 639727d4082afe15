import ArgumentParser

/// Where the settings are.
struct SettingsFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The settings (default: ~/.config/tondo/tondo.toml, else /etc/tondo/tondo.toml, where there is one).",
            valueName: "file"),
        completion: .file())
    var config: String?

    func validate() throws {
        if config == "" { throw ValidationError("--config needs a name.") }
    }
}
