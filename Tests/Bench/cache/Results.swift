import Foundation

/// A table: what was compared with what.
struct Section: Codable {
    struct Row: Codable {
        var name: String
        /// By the clock, in the section's unit.
        var wall: Series
        var cpu: Series
        /// Over the first row, within a round.
        var ratio: Series?
        /// The same of the CPU time.
        var cpuRatio: Series?
    }

    /// A figure that has to stay below its target.
    struct Target: Codable {
        var what: String
        var figure: Double
        var target: Double
        var unit: String

        var isMet: Bool { figure <= target }
    }

    var title: String
    var unit: String
    var rows: [Row] = []
    var targets: [Target] = []

    /// `scale`: units in a second. `base`: the row that the others are compared with.
    init(_ title: String, unit: String, _ rounds: Rounds, scale: Double, base: String?) {
        (self.title, self.unit) = (title, unit)
        let against = base.flatMap { rounds.costs[$0] }
        rows = rounds.names.map { name in
            let costs = rounds.costs[name] ?? []
            func ratio(_ time: (Cost) -> Double) -> Series? {
                against.map { Series(values: costs.map(time)) / Series(values: $0.map(time)) }
            }
            return Row(
                name: name, wall: Series(values: costs.map { $0.wall * scale }),
                cpu: Series(values: costs.map { $0.cpu * scale }), ratio: ratio(\.wall), cpuRatio: ratio(\.cpu))
        }
    }

    /// A table without rounds.
    init(_ title: String, unit: String) { (self.title, self.unit) = (title, unit) }

    var digits: Int { unit == "ms" || unit == "MB" ? 1 : 2 }

    subscript(name: String) -> Row? { rows.first { $0.name == name } }

    var table: String {
        let hasRatio = rows.contains { $0.ratio != nil }
        let hasCPU = rows.contains { !$0.cpu.values.isEmpty }
        var lines = [["", unit] + (hasCPU ? ["CPU"] : []) + (hasRatio ? ["ratio", "CPU ratio"] : [])]
        for row in rows {
            lines.append(
                [row.name, row.wall.text(digits)] + (hasCPU ? [row.cpu.median.text(digits)] : [])
                    + (hasRatio ? [row.ratio?.text(2) ?? "", row.cpuRatio?.text(2) ?? ""] : []))
        }
        return title + "\n" + aligned(lines)
    }
}

/// Everything measured.
struct Results: Codable {
    var date: String
    var cores: Int
    var rounds: Int
    var isQuick: Bool
    var load: [Double]
    var sections: [Section] = []

    init(_ options: Options) {
        date = String(ISO8601DateFormatter().string(from: Date()).prefix(10))
        cores = ProcessInfo.processInfo.activeProcessorCount
        (rounds, isQuick) = (options.rounds, options.isQuick)
        load = [Self.currentLoad]
    }

    mutating func finish() { load.append(Self.currentLoad) }

    var heading: String { "\(date), \(cores) cores, \(rounds) rounds, load \(load[0].text(1)); median (min..max)" }

    var verdicts: String {
        let rows = sections.flatMap(\.targets).map { target in
            [
                target.what, "\(target.figure.text(2)) \(target.unit)", "\(target.target.text(1)) \(target.unit)",
                target.isMet ? "met" : "MISSED",
            ]
        }
        return "\ntargets\n" + aligned([["", "figure", "target", ""]] + rows)
            + "\n\nload at the end \(load[load.count - 1].text(1))"
    }

    func write(_ file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: file))
    }

    private static var currentLoad: Double {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : .nan
    }
}

/// Columns, the first flush left.
private func aligned(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        let cells = zip(row, widths).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
            return index == 0 ? cell.0 + blanks : blanks + cell.0
        }
        return "  " + cells.joined(separator: "  ")
    }.joined(separator: "\n")
}

extension Double {
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
