import FoundationEssentials
import Glibc
import SystemPackage

extension CacheCrasher {
    /// Kills processes of a swarm in a new folder, reports the results, and ends with status 1 if something was wrong.
    static func soak(kills: Int, seed: UInt64) {
        let root = FilePath(FileManager.default.temporaryDirectory.path)
            .appending("tondo-soak-" + UUID().uuidString.lowercased())
        let start = ContinuousClock.now
        do {
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let swarm = Swarm(root, program: program, seed: seed)
            print("seed \(seed), \(kills) kills, in \(root)")
            var next = 1000
            func report() {
                guard swarm.kills >= next else { return }
                next += 1000
                print(describe(swarm, since: start))
                fflush(nil)
            }
            try swarm.run(untilKills: kills, progress: report)
            print("passed: " + describe(swarm, since: start))
            try FileManager.default.removeItem(atPath: root.string)
        } catch {
            print("FAILED, the folder is left as it was found: \(error)")
            exit(EXIT_FAILURE)
        }
    }

    private static func describe(_ swarm: Swarm, since start: ContinuousClock.Instant) -> String {
        func reported(_ kind: Event.Kind) -> Int { swarm.reported[kind, default: 0] }
        let removals = "\(reported(.removed)) removals"
        let index = "index lost \(reported(.rebuilt)) times, damaged \(reported(.healed)) times"
        return
            "\(swarm.kills) kills, \(reported(.stored)) stores, \(reported(.read)) reads, \(removals), \(swarm.checks) checks, "
            + "\(index), \((ContinuousClock.now - start) / .seconds(1)) s"
    }
}
