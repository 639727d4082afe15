internal import Glibc
package import SystemPackage

/// The default folders of programs: those of the XDG Base Directory Specification, version 0.8, and those that systemd
/// passes to a service (systemd.exec(5)). Relative paths are ignored. Nil if the environment has no such folder.
package struct StandardPaths {
    private let variable: (String) -> FilePath?

    /// `variable`: returns a variable of the environment.
    package init(variable: @escaping (String) -> FilePath?) { self.variable = variable }

    /// Reads these variables, as those of a configuration, in place of the process's environment.
    package init(environment: [String: String]) { self.init { environment[$0].map { FilePath($0) } } }

    /// The folders of this process.
    package static var process: StandardPaths {
        StandardPaths { getenv($0).map { FilePath(platformString: $0) } }
    }

    /// `$XDG_CACHE_HOME`, else `~/.cache`.
    package var cache: FilePath? { folder("XDG_CACHE_HOME", at: ".cache") }
    /// `$XDG_CONFIG_HOME`, else `~/.config`.
    package var configuration: FilePath? { folder("XDG_CONFIG_HOME", at: ".config") }
    /// `$XDG_DATA_HOME`, else `~/.local/share`.
    package var data: FilePath? { folder("XDG_DATA_HOME", at: ".local/share") }
    /// `$XDG_STATE_HOME`, else `~/.local/state`.
    package var state: FilePath? { folder("XDG_STATE_HOME", at: ".local/state") }

    /// The folder of a service for data that can be created again.
    package var serviceCache: FilePath? { first(of: "CACHE_DIRECTORY") }
    /// The folder of a service for persistent data.
    package var serviceState: FilePath? { first(of: "STATE_DIRECTORY") }

    private func folder(_ name: String, at subpath: FilePath) -> FilePath? {
        absolute(name) ?? absolute("HOME")?.pushing(subpath)
    }

    private func absolute(_ name: String) -> FilePath? { variable(name).flatMap { $0.isAbsolute ? $0 : nil } }

    /// systemd joins several folders by colons.
    private func first(of name: String) -> FilePath? {
        let folder = variable(name)?.string.split(separator: ":").first.map { FilePath(String($0)) }
        return folder.flatMap { $0.isAbsolute ? $0 : nil }
    }
}
