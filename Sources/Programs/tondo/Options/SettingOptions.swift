import ArgumentParser
import TondoConfiguration

/// The path of the configuration file.
struct SettingsFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file (default: ~/.config/tondo/tondo.toml, else /etc/tondo/tondo.toml, if it exists).",
            valueName: "file"),
        completion: .file())
    var config: String?

    /// The size limit of the service's cache, or the end of the command with what is wrong with the configuration: no size is
    /// made up for one that could not be read.
    var cacheSize: Int {
        get throws { try Serve.configuration(ConfigurationSource(file: config)).cacheSize.value }
    }

    func validate() throws {
        if config == "" { throw ValidationError("--config needs a name.") }
    }
}

/// The name, the help text and the closed list of values of an option come from the declaration of its setting.
extension Option where Value == String? {
    init<Typed>(_ setting: KeyPath<ServiceConfiguration, Setting<Typed>>, completion: CompletionKind? = nil) {
        let setting = ServiceConfiguration.builtIn[keyPath: setting].declaration
        self.init(
            name: .customLong(setting.flagName), help: setting.argumentHelp,
            completion: completion ?? setting.completion)
    }
}

extension Option where Value == [String] {
    init<Typed>(wrappedValue: [String], _ setting: KeyPath<ServiceConfiguration, Setting<Typed>>) {
        let setting = ServiceConfiguration.builtIn[keyPath: setting].declaration
        self.init(
            wrappedValue: wrappedValue, name: .customLong(setting.flagName), parsing: .singleValue,
            help: setting.argumentHelp, completion: setting.completion)
    }
}

extension SettingDeclaration {
    var argumentHelp: ArgumentHelp { ArgumentHelp("\(help)", valueName: argument) }
    fileprivate var completion: CompletionKind? { choices.isEmpty ? nil : .list(choices) }
}
