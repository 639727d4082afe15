internal import CBus
internal import Glibc
internal import TondoConfiguration

// Before there are other threads, which would take the signals.
cbus_block_signals()
do throws(Ending) {
    let options = try Options(CommandLine.arguments.dropFirst())
    let reading = ConfigurationSource(file: options.config).read()
    if !reading.problems.isEmpty {
        throw .misconfigured(reading.problems.map(\.description).joined(separator: "\ntondo-dbus: "))
    }
    if options.isForIcons {
        let desk = try AvatarDesk(reading.configuration)
        defer { desk.close() }
        try AccountIcons(options: options, lookup: desk.lookup).run()
    } else {
        try AvatarBusService(reading.configuration).run(idle: options.idle)
    }
} catch {
    if !error.text.isEmpty { report(error.text) }
    exit(error.status)
}
