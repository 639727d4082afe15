import ArgumentParser
import TondoConfiguration
import TondoFleet
import TondoRedis

/// The Redis instances of the work queue.
struct FleetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The Redis instance of the work queue, such as unix:/run/redis/redis.sock (default: streams of the configuration).",
            valueName: "address"))
    var streams: String?

    @Option(
        help: ArgumentHelp(
            "The Redis instance of the shared avatars and of photos on their way (default: avatars of the configuration).",
            valueName: "address"))
    var avatars: String?

    @OptionGroup var file: SettingsFileOption

    var isGiven: Bool { streams != nil || avatars != nil || file.config != nil }

    func validate() throws {
        for (name, text) in [("streams", streams), ("avatars", avatars)] {
            guard let text, RedisAddress(text) == nil else { continue }
            throw ValidationError("--\(name) \(text): must be unix:/PATH, or tcp:HOST:PORT of this machine.")
        }
    }

    /// A stream that answers, or the end of the command with the reason.
    func openStream(_ address: RedisAddress) throws -> JobStream {
        let stream = JobStream(RedisConnection(address))
        try Self.reporting(address) { () throws(JobStreamError) in _ = try stream.length() }
        return stream
    }

    static func reporting<Result>(
        _ address: RedisAddress, _ body: () throws(JobStreamError) -> Result
    ) throws -> Result {
        do throws(JobStreamError) { return try body() } catch {
            Terminal.reportError("\(address): \(error)")
            throw ExitCode.unavailable
        }
    }

    /// Without an address of streams the command ends.
    func addresses(_ configuration: ServiceConfiguration) throws -> FleetAddresses {
        let found = FleetAddresses(
            streams: streams.flatMap { RedisAddress($0) }, avatars: avatars.flatMap { RedisAddress($0) })
        guard found.streams != nil else {
            Terminal.reportError(
                "no work queue: name one with --streams, or as streams in [shared] of the configuration")
            throw ExitCode.misconfigured
        }
        return found
    }
}

struct FleetAddresses {
    var streams: RedisAddress?
    var avatars: RedisAddress?

    var blobs: PhotoBlobs? { avatars.map { PhotoBlobs(RedisConnection($0)) } }
}
