/// The file with the sources that `tondo sync add` wrote, beside the configuration: `tondo.toml` has `tondo.sync.toml`.
///
/// A file of its own: a table ends where the next one begins, so whatever a user appended to the configuration after
/// the last source would belong to that source.
package enum SourcesFile {
    /// `configuration`: the path of the configuration file, which may not exist.
    package static func path(beside configuration: String) -> String {
        let ending = ".toml"
        let base = configuration.hasSuffix(ending) ? String(configuration.dropLast(ending.count)) : configuration
        return base + ".sync" + ending
    }

    /// The first lines of a new file.
    package static let head = """
        # The address books on the network that 'tondo sync add' added: tables [sync.NAME], which may be changed here.
        # All other settings stand in the configuration file beside this one.

        """

    /// Whether TOML text has the table of a source. Names of sources need no quotation marks.
    package static func hasSource(_ name: String, in text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let table = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" }
            return table == "[sync.\(name)]"
        }
    }
}
