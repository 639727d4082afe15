import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoConfiguration

/// `tondo doctor`
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks what Tondo needs on this machine, and says what to do.",
        discussion: """
            EXAMPLES
              tondo doctor                       with the configuration of serve
              tondo doctor --config tondo.toml   with another one
              tondo doctor --json                for programs

            Checks the configuration, the confined processes that decode photos, the programs and fonts for HEIC, AVIF and \
            initials, the face model, the rights of books, cache and token, the free space, the addresses, the units of \
            systemd, the Redis that instances share, and the last runs of 'tondo sync'. Each line is ok, a warning, a problem, \
            or skipped with the reason; below a problem stands what to do.

            It asks nothing but this machine and the Redis of the configuration, and changes nothing. Rights are those of the \
            user who runs it: for the service of the machine, run it as that service's user.

            \(ExitStatusText.lines([
                (0, "no problem; there may be warnings"), (1, "a problem was found"), (64, "wrong usage"),
                (ExitCode.inputOutput.rawValue, "standard output cannot be written"),
                (ExitCode.readerGone.rawValue, ExitStatusText.readerGone),
            ]))
            """)

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var color: ColorOption

    func run() throws {
        StandardStreams.prepare()
        let report = Self.report(of: ConfigurationSource(file: file.config).read(), now: Date())
        if json {
            try StandardOutput.write(report: report)
        } else {
            try StandardOutput.write(report.text(width: StandardStreams.outputColumns, paint: color.paint))
        }
        if report.problems > 0 { throw ExitCode.failure }
    }

    /// All checks, one after the other. A wrong value of the configuration is a problem, and its default is checked.
    static func report(of reading: ConfigurationSource.Reading, now: Date) -> DoctorReport {
        let configuration = reading.configuration
        var report = DoctorReport()
        report.check(reading)
        report.checkPrograms(configuration)
        report.checkBooks(configuration)
        let places = [report.checkCache(configuration), report.checkToken(configuration)]
        report.checkSpace(places.compactMap(\.self))
        report.checkAddresses(configuration)
        report.checkUnits()
        report.checkRedis(configuration)
        report.checkSync(configuration, now: now)
        return report
    }
}
