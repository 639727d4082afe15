import TondoFiles

/// The units of systemd, by `systemctl`.
extension DoctorReport {
    private static let units = [
        "tondo.socket", "tondo.service", "tondo-sync.timer", "tondo-sync.service", "tondo-prune.timer",
    ]

    /// Asks the user's manager and the system's, each for three seconds at most.
    mutating func checkUnits() {
        let managers = [("--user", "the user"), ("--system", "the system")]
        var (answers, found) = (0, 0)
        for (option, name) in managers {
            let words = ["systemctl", option, "show", "--property=Id,LoadState,ActiveState,UnitFileState"] + Self.units
            let output = try? ChildProgram.output(of: words, within: .seconds(3), most: 64 << 10, isQuiet: true)
            guard let output, !output.isEmpty else { continue }
            let text = String(decoding: output, as: UTF8.self)
            answers += 1
            for unit in UnitState.all(text) where unit.isInstalled {
                found += 1
                check(unit, option: option, manager: name)
            }
        }
        if answers == 0 { return skip("units", because: "systemctl is not there, or no systemd answers it") }
        if found == 0 { skip("units", because: "no unit of Tondo is installed") }
    }

    private mutating func check(_ unit: UnitState, option: String, manager: String) {
        let text = "\(unit.name) of \(manager): \(unit.text)"
        guard unit.isBroken else { return ok("units", text) }
        let options = option == "--user" ? "--user " : ""
        problem("units", text, advice: "journalctl \(options)-u \(unit.name) shows why")
    }
}

/// The state of one unit, as `systemctl show` prints it.
struct UnitState: Equatable {
    let name: String
    /// `loaded`, `not-found`, `bad-setting`, `error`, `masked`.
    let load: String
    /// `active`, `inactive`, `failed`, `activating`.
    let active: String
    /// `enabled`, `disabled`, `static`; may be empty.
    let file: String

    /// `text`: lines `Property=Value`, with an empty line between two units.
    static func all(_ text: String) -> [UnitState] {
        var values: [[Substring: Substring]] = [[:]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { values.append([:]) }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { values[values.count - 1][parts[0]] = parts[1] }
        }
        return values.compactMap { values in
            guard let name = values["Id"] else { return nil }
            func value(_ property: Substring) -> String { String(values[property] ?? "") }
            return UnitState(
                name: String(name), load: value("LoadState"), active: value("ActiveState"), file: value("UnitFileState")
            )
        }
    }

    var isInstalled: Bool { load != "not-found" && !load.isEmpty }
    var isBroken: Bool { active == "failed" || load == "error" || load == "bad-setting" }
    var text: String {
        ([load == "loaded" ? nil : load, active, file].compactMap(\.self)).filter { !$0.isEmpty }.joined(
            separator: ", ")
    }
}
