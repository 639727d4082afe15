import TondoCache
import TondoText

/// The report of `verify`, for humans.
struct VerificationText {
    private let verification: Verification
    private let isRepairing: Bool
    private let isInterrupted: Bool

    init(verification: Verification, isRepairing: Bool, isInterrupted: Bool) {
        self.verification = verification
        self.isRepairing = isRepairing
        self.isInterrupted = isInterrupted
    }

    /// One line each.
    var problems: String { verification.problems.map { line(of: $0) + "\n" }.joined() }

    private func line(of problem: Problem) -> String {
        let outcome = isRepairing ? (problem.isRepaired ? " (repaired)" : " (could not be repaired)") : ""
        return Terminal.printable("\(problem.kind.rawValue): \(problem.name): \(problem.reason)\(outcome)")
    }

    /// The last line.
    var summary: String {
        let amount = "\(Quantities.entries(verification.entries)), \(ByteAmount.text(verification.bytes))"
        let checked = "\(isInterrupted ? "interrupted: " : "")\(amount) checked"
        if verification.isClean { return "\(checked): \(isInterrupted ? "no problems so far" : "no problems")\n" }
        let index = verification.isIndexIntact ? [] : ["the index was damaged"]
        let problems =
            verification.problems.isEmpty
            ? [] : [Quantities.counted(verification.problems.count, of: "problem") + outcome]
        return "\(checked): \((index + problems).joined(separator: "; "))\n"
    }

    private var outcome: String {
        let count = verification.problems.count
        let repaired = verification.problems.count(where: \.isRepaired)
        if !isRepairing { return "; --repair fixes \(count == 1 ? "it" : "them")" }
        return repaired == count ? ", repaired" : ", \(Quantities.count(repaired)) repaired"
    }
}

/// A problem for scripts.
struct ProblemDocument: Encodable {
    var event = "problem"
    var kind: String
    var key: String?
    var name: String
    var reason: String
    var repaired: Bool

    init(_ problem: Problem) {
        kind = problem.kind.rawValue
        key = problem.key?.hexadecimal
        name = problem.name
        reason = problem.reason
        repaired = problem.isRepaired
    }
}

/// The last line for scripts.
struct VerificationDocument: Encodable {
    var event = "summary"
    var entries: Int
    var bytes: Int
    var problems: Int
    var repaired: Int
    var indexIntact: Bool
    var interrupted: Bool

    init(verification: Verification, isInterrupted: Bool) {
        entries = verification.entries
        bytes = verification.bytes
        problems = verification.problems.count
        repaired = verification.problems.count(where: \.isRepaired)
        indexIntact = verification.isIndexIntact
        interrupted = isInterrupted
    }
}
