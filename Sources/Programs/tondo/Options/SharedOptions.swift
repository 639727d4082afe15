import ArgumentParser
import Glibc
import TondoAvatars
import TondoConfiguration

/// The Redis with the avatars that instances share. The variables of the service's configuration apply, too, but not its file.
struct SharedOptions: ParsableArguments {
    @Option(\.sharedAvatars) var sharedAvatars: String?
    @Option(\.sharedUser) var sharedUser: String?
    @Option(\.sharedPassword, completion: .file()) var sharedPasswordFile: String?

    var flags: [SettingFlag?] {
        let settings = ServiceConfiguration.builtIn
        return [
            settings.sharedAvatars.flag(sharedAvatars), settings.sharedUser.flag(sharedUser),
            settings.sharedPassword.flag(sharedPasswordFile),
        ]
    }

    /// Nil, at no cost, if no Redis is named. `configuration`: of a command that reads one; nil: the options alone.
    func tier(jobs: Int, _ configuration: ServiceConfiguration? = nil) throws -> SharedTier? {
        if let configuration { return try tier(jobs: jobs, of: configuration) }
        guard sharedAvatars != nil || getenv("TONDO_SHARED_AVATARS") != nil else { return nil }
        let reading = ConfigurationSource(file: "/dev/null", flags: flags.compactMap(\.self)).read()
        let problems = reading.problems.filter { $0.reason.hasPrefix("shared.") }
        for problem in problems { Terminal.reportError("\(problem)") }
        if !problems.isEmpty { throw ExitCode.misconfigured }
        return try tier(jobs: jobs, of: reading.configuration)
    }

    private func tier(jobs: Int, of configuration: ServiceConfiguration) throws -> SharedTier? {
        try SharedConnection.tier(configuration, connections: 2 * jobs + 2) {
            Terminal.reportError("warning: \($0)")
        }
    }
}
