import CLinux
import Glibc

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
            guard let text = QuietCommand.output(words, within: .seconds(3)), !text.isEmpty else { continue }
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

/// A program that is asked for a few lines. Its error output is dropped.
enum QuietCommand {
    /// Bytes.
    private static let largest = 64 << 10

    /// What it prints; nil if it cannot be started, fails, prints too much or takes longer, and is then killed.
    static func output(_ words: [String], within limit: Duration) -> String? {
        var (output, process) = (Int32(-1), pid_t())
        let copies = (["/bin/sh", "-c", #"exec "$@" 2>/dev/null"#, "sh"] + words).map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        guard clinux_spawn_command(copies + [nil], &output, &process) == 0 else { return nil }
        defer { close(output) }
        let bytes = read(output, until: .now + limit)
        if bytes == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? bytes.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// All bytes until the other end of the pipe is closed.
    private static func read(_ output: Int32, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while bytes.count <= largest {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let rest = (deadline - .now) / .milliseconds(1)
            if rest <= 0 { return nil }
            _ = poll(&waiting, 1, Int32(rest.rounded(.up)))
            let count = Glibc.read(output, &piece, piece.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += piece[..<count] }
            if count < 0, errno != EAGAIN, errno != EINTR { return nil }
        }
        return nil
    }
}
