import ArgumentParser
import TondoAvatars
import TondoConfiguration
import TondoFleet
import TondoRedis

/// The shared tier of a command, from its configuration.
enum SharedConnection {
    /// Nil without a setting: then there is no connection, and nothing is asked. `connections`: threads that may ask at once.
    /// `time`: of one call.
    /// Ends the command for a Redis that is set up for something else; one that does not serve now is reported, and the
    /// command goes on without it. `report`: a line of log.
    static func tier(
        _ configuration: ServiceConfiguration, connections: Int, time: Duration = RedisPool.Options().time,
        report: @escaping @Sendable (String) -> Void
    ) throws -> SharedTier? {
        let shared: ServiceConfiguration.Shared
        do { shared = try configuration.shared() } catch { throw failed("\(error)") }
        guard let address = shared.avatars else { return nil }
        let tier = tier(address, connections: connections, time: time, report: report)
        let check = SharedCheck(pool: tier.pool, roles: shared.roles(of: address))
        for problem in check.problems {
            if problem.isPermanent { throw failed("\(configuration.sharedAvatars.origin): \(address): \(problem)") }
            report("\(address): \(problem); avatars are drawn without it")
        }
        for warning in check.warnings { report("\(address): \(warning)") }
        return tier
    }

    private static func tier(
        _ address: RedisAddress, connections: Int, time: Duration, report: @escaping @Sendable (String) -> Void
    ) -> SharedTier {
        var pool = RedisPool.Options()
        pool.connections = max(pool.connections, connections)
        pool.time = time
        pool.onChange = { error in
            report(error.map { "\(address): \($0); avatars are drawn without it" } ?? "\(address): serves again")
        }
        var options = SharedTier.Options()
        options.onAltered = { key, reason in report("\(address): \(key) was altered (\(reason)), and is deleted") }
        return SharedTier(RedisPool(address: address, options: pool), options: options)
    }

    private static func failed(_ reason: String) -> ExitCode {
        Terminal.reportError(reason)
        return .misconfigured
    }

    /// What `tondo config check` finds: errors, which would keep avatars from being shared, and warnings.
    static func check(_ configuration: ServiceConfiguration) -> (problems: [SettingsProblem], warnings: [String]) {
        let shared: ServiceConfiguration.Shared
        do { shared = try configuration.shared() } catch { return ([error], []) }
        var (problems, warnings): ([SettingsProblem], [String]) = ([], [])
        func add(_ check: SharedCheck, named name: String, origin: SettingOrigin) {
            problems += check.problems.map { SettingsProblem(origin: origin, reason: "\(name): \($0)") }
            warnings += check.warnings.map { "\(origin): \(name): \($0)" }
        }
        if let address = shared.avatars {
            let check = SharedCheck(pool: RedisPool(address: address), roles: shared.roles(of: address))
            add(check, named: "shared.avatars", origin: configuration.sharedAvatars.origin)
        }
        if let address = shared.streams {
            // What does not suit the other role is reported there.
            let check = SharedCheck(
                pool: RedisPool(address: address), roles: [.streams], probes: StreamAccess.probes,
                rules: StreamAccess.rules)
            add(check, named: "shared.streams", origin: configuration.sharedStreams.origin)
        }
        return (problems, warnings)
    }
}
