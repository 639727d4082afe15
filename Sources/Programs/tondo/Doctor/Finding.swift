/// What one check of `tondo doctor` found.
struct Finding: Codable, Equatable {
    enum Level: String, Codable, CaseIterable {
        case ok, warning, problem
        /// It was not checked; the text has the reason.
        case skipped

        var tone: Paint.Tone? {
            switch self {
            case .ok: .good
            case .warning: .poor
            case .problem: .bad
            case .skipped: nil
            }
        }
    }

    /// The name of the check, which never changes.
    let check: String
    let level: Level
    /// One line.
    let text: String
    /// What to do; every problem has one.
    let advice: String?
}

/// The findings of all checks, for `--json` in this form.
struct DoctorReport: Codable, Equatable {
    private(set) var findings: [Finding] = []
    /// The numbers of findings.
    private(set) var problems = 0
    private(set) var warnings = 0

    mutating func ok(_ check: String, _ text: String) { add(.ok, check, text: text) }

    /// `reason`: why it was not checked.
    mutating func skip(_ check: String, because reason: String) { add(.skipped, check, text: "not checked: \(reason)") }

    mutating func warn(_ check: String, _ text: String, advice: String? = nil) {
        add(.warning, check, text: text, advice: advice)
    }

    mutating func problem(_ check: String, _ text: String, advice: String) {
        add(.problem, check, text: text, advice: advice)
    }

    private mutating func add(_ level: Finding.Level, _ check: String, text: String, advice: String? = nil) {
        findings.append(Finding(check: check, level: level, text: text, advice: advice))
        if level == .problem { problems += 1 }
        if level == .warning { warnings += 1 }
    }

    /// A line for each finding, with what to do below it, and the numbers. `width`: cells of the terminal. `paint`: of the
    /// levels.
    func text(width: Int?, paint: Paint = .none) -> String {
        var block = KeyValueBlock()
        let longest = Finding.Level.allCases.map(\.rawValue.count).max() ?? 0
        for finding in findings {
            let level = finding.level.rawValue
            let blanks = String(repeating: " ", count: longest - level.count + 2)
            block.add(
                level + blanks + finding.check, values: [finding.text] + (finding.advice.map { ["-> \($0)"] } ?? []))
        }
        let counts = "\(Quantities.counted(problems, of: "problem")), \(Quantities.counted(warnings, of: "warning"))"
        let lines = block.text(width: width).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { Self.painted($0, paint) }.joined(separator: "\n") + "\n\(counts)\n"
    }

    /// The first word, which is a level in the first line of each finding; further lines are indented.
    private static func painted(_ line: Substring, _ paint: Paint) -> String {
        let word = line.prefix { $0 != " " }
        return paint(word, Finding.Level(rawValue: String(word))?.tone) + line.dropFirst(word.count)
    }
}
