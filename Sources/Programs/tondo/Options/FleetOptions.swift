import ArgumentParser
import TondoConfiguration
import TondoFleet
import TondoRedis

/// The Redis of the work queue, beside the options of `SharedOptions`.
struct FleetOptions: ParsableArguments {
    @Option(\.sharedStreams) var sharedStreams: String?
    @OptionGroup var file: SettingsFileOption

    /// `shared`: the options of the other Redis.
    func configuration(_ shared: SharedOptions, flags: [SettingFlag?] = []) throws -> ServiceConfiguration {
        let own = ServiceConfiguration.builtIn.sharedStreams.flag(sharedStreams)
        let all = flags + shared.flags + [own]
        return try Serve.configuration(ConfigurationSource(file: file.config, flags: all.compactMap(\.self)))
    }
}

/// The two Redis of a work queue.
struct FleetAddresses {
    let streams: RedisAddress
    /// The Redis that holds photos on their way; nil: only photos in files can be drawn elsewhere.
    let avatars: RedisAddress?

    /// Ends the command if no queue is configured, or in a Redis that would lose jobs.
    init(_ configuration: ServiceConfiguration) throws {
        let shared: ServiceConfiguration.Shared
        do { shared = try configuration.shared() } catch {
            Terminal.reportError("\(error)")
            throw ExitCode.misconfigured
        }
        guard let streams = shared.streams else {
            Terminal.reportError(
                "no work queue: name its Redis with --shared-streams, or as streams in [shared] of the configuration")
            throw ExitCode.misconfigured
        }
        self.streams = streams
        avatars = shared.avatars
        // One that does not answer now may do so later.
        let policy = try? RedisPool(address: streams).policy(within: .seconds(1))
        if let problem = policy?.problem(for: shared.roles(of: streams)) {
            Terminal.reportError("\(configuration.sharedStreams.origin): \(streams): \(problem)")
            throw ExitCode.misconfigured
        }
    }

    var stream: JobStream { JobStream(RedisConnection(to: streams)) }
    var blobs: PhotoBlobs? { avatars.map { PhotoBlobs(connection: RedisConnection(to: $0)) } }

    /// Calls `body`, or ends the command with the reason.
    func reporting<Result>(_ body: () throws(JobStreamError) -> Result) throws -> Result {
        do throws(JobStreamError) { return try body() } catch {
            Terminal.reportError("\(streams): \(error)")
            throw ExitCode.unavailable
        }
    }
}
