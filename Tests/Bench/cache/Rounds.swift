import Glibc

/// Seconds by the clock, and of the processor in the whole process.
struct Cost {
    var wall = 0.0
    var cpu = 0.0

    static func now() -> Cost { Cost(wall: seconds(CLOCK_MONOTONIC), cpu: seconds(CLOCK_PROCESS_CPUTIME_ID)) }

    /// What `body` costs.
    static func of(_ body: () throws -> Void) rethrows -> Cost {
        let start = now()
        try body()
        return now() - start
    }

    static func - (left: Cost, right: Cost) -> Cost { Cost(wall: left.wall - right.wall, cpu: left.cpu - right.cpu) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// One of those compared. A round gives one cost or several, each under its name.
struct Contestant {
    let run: () throws -> [(name: String, cost: Cost)]

    init(_ run: @escaping () throws -> [(name: String, cost: Cost)]) { self.run = run }

    init(_ name: String, _ body: @escaping () throws -> Void) {
        run = { [(name, try Cost.of(body))] }
    }
}

/// Costs of interleaved rounds, by name, in the order in which the names first came.
struct Rounds {
    private(set) var names: [String] = []
    private(set) var costs: [String: [Cost]] = [:]

    /// A warm-up round, then A B C, B C A, ... so that none always follows the same one. `prepare` begins each.
    init(_ count: Int, _ contestants: [Contestant], prepare: () throws -> Void = {}) throws {
        for round in 0...count {
            try prepare()
            let shift = round % contestants.count
            for contestant in contestants[shift...] + contestants[..<shift] {
                for (name, cost) in try contestant.run() {
                    if costs[name] == nil {
                        costs[name] = []
                        names.append(name)
                    }
                    if round > 0 { costs[name]?.append(cost) }
                }
            }
        }
    }
}

/// Figures of all rounds.
struct Series: Codable {
    var values: [Double]

    var median: Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// `12.3 (11.9..14.0)`.
    func text(_ digits: Int) -> String {
        "\(median.text(digits)) (\((values.min() ?? .nan).text(digits))..\((values.max() ?? .nan).text(digits)))"
    }

    static func / (left: Series, right: Series) -> Series {
        Series(values: zip(left.values, right.values).map { $0 / $1 })
    }
}
