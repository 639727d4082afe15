import Dispatch
import Glibc
import TondoJobs

/// Prints what the job queue costs: JobsBench [--json]. Rounds are interleaved after one warm-up round; of each number
/// the median, least and most are reported.
@main
enum JobsBench {
    static func main() {
        var numbers: [Number] = []
        let rounds = 7
        for round in 0...rounds {
            for measure in Measure.all {
                let value = measure.run()
                if round == 0 {
                    numbers.append(Number(name: measure.name, unit: measure.unit, target: measure.target))
                } else if let index = numbers.firstIndex(where: { $0.name == measure.name }) {
                    numbers[index].values.append(value)
                }
            }
        }
        if CommandLine.arguments.contains("--json") {
            print("[\(numbers.map(\.json).joined(separator: ",\n "))]")
        } else {
            for number in numbers { print(number.line) }
        }
    }
}

/// One thing measured several times.
struct Number {
    let name: String
    let unit: String
    let target: String
    var values: [Double] = []

    private var sorted: [Double] { values.sorted() }
    private var median: Double { sorted[sorted.count / 2] }
    private var least: Double { sorted[0] }
    private var most: Double { sorted[sorted.count - 1] }

    var line: String {
        let numbers = median.short.padded(to: 10) + unit.padded(to: 6) + "\(least.short)..\(most.short)".padded(to: 22)
        return name.padded(to: 50) + numbers + target
    }

    var json: String {
        """
        {"name":"\(name)","unit":"\(unit)","median":\(median.short),"least":\(least.short),"most":\(most.short),\
        "target":"\(target)"}
        """
    }
}

extension Double {
    /// Three digits.
    var short: String { self >= 100 ? String(Int(rounded())) : String((self * 100).rounded() / 100) }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
