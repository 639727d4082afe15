import Foundation
import Testing
import TondoTestSupport

@Suite struct UnitFilesTests {
    private static let units = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "systemd")
    private static let analyze = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let isThere = analyze != nil

    @Test(.enabled(if: isThere, "systemd-analyze is not installed"), arguments: [false, true])
    func `systemd finds nothing to say about a unit`(isForUser: Bool) throws {
        let folder = try Self.copy(isForUser ? "user" : "")
        for unit in try Self.names(in: folder.pathString) {
            let arguments = (isForUser ? ["--user"] : []) + ["verify", "--man=no", folder.pathString + "/" + unit]
            // It exits with 0 whatever it finds.
            #expect(try Self.run(arguments, in: folder) == "", "\(unit)")
        }
    }

    @Test(
        .enabled(if: isThere, "systemd-analyze is not installed"),
        arguments: [
            ("", "tondo.service", 1.5), ("", "tondo-prune.service", 1.5), ("", "tondo-sync.service", 1.5),
            ("", "tondo-worker@.service", 1.5), ("user", "tondo.service", 2.5), ("user", "tondo-sync.service", 2.5),
            ("user", "tondo-dbus.service", 2.5),
        ])
    func `A service is exposed to 1.5 at most, and a user's to 2.5`(part: String, unit: String, most: Double) throws {
        let folder = try Self.copy(part)
        let arguments = ["security", "--offline=yes", "--no-pager", folder.pathString + "/" + unit]
        let text = try Self.run((part == "user" ? ["--user"] : []) + arguments, in: folder)
        let level = text.split(separator: "\n").last { $0.contains("Overall exposure level") }
        let number = level?.split(separator: ": ").last?.split(separator: " ").first.flatMap { Double($0) }
        #expect(try #require(number) <= most)
    }

    /// A service that is restarted with `RestartSec=` is started that often in the interval, at most.
    @Test(arguments: ["", "user/"])
    func `A process that is killed now and then does not take its socket down, and one that always ends does`(
        folder: String
    ) throws {
        let text = try String(contentsOf: Self.units.appending(path: folder + "tondo.service"), encoding: .utf8)
        func number(_ name: String) throws -> Int {
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + "=") })
            return try #require(Int(line.dropFirst(name.count + 1)))
        }
        let (interval, burst) = (try number("StartLimitIntervalSec"), try number("StartLimitBurst"))
        #expect(burst >= 30 && interval >= 60)
        #expect(interval / (try number("RestartSec")) > burst)
        #expect(text.contains("\nRestart=on-failure\n") && text.contains("\nRestartPreventExitStatus=78\n"))
        #expect(text.split(separator: "[Service]")[0].contains("StartLimitBurst="))
    }

    /// systemd before 254 would name ~/.config/tondo.
    @Test func `The state of a user's service is where the commands look for it`() throws {
        let text = try String(contentsOf: Self.units.appending(path: "user/tondo.service"), encoding: .utf8)
        #expect(!text.contains("\nStateDirectory="))
    }

    @Test func `A worker sees the state folder that its comment names, and changes nothing in it`() throws {
        let text = try String(contentsOf: Self.units.appending(path: "tondo-worker@.service"), encoding: .utf8)
        for line in ["StateDirectory=tondo", "ReadOnlyPaths=-/var/lib/private/tondo"] {
            #expect(text.contains("\n\(line)\n"))
        }
        let hidden = ["token", "trash", "favourites.json"].map { "-/var/lib/private/tondo/\($0)" }
        #expect(text.contains("InaccessiblePaths=\(hidden.joined(separator: " "))\n"))
    }

    @Test func `The service is notified, watched, reloaded and handed its sockets`() throws {
        for folder in ["", "user/"] {
            let service = try String(contentsOf: Self.units.appending(path: folder + "tondo.service"), encoding: .utf8)
            for line in [
                "Type=notify", "WatchdogSec=30", "ExecReload=/bin/kill -HUP $MAINPID", "Requires=tondo.socket",
                "Also=tondo.socket",
            ] {
                #expect(service.contains("\n\(line)\n"))
            }
            let socket = try String(contentsOf: Self.units.appending(path: folder + "tondo.socket"), encoding: .utf8)
            #expect(socket.contains("\nListenStream=127.0.0.1:7380\n"))
        }
    }

    /// The units with a program that is there on every machine.
    private static func copy(_ part: String) throws -> TemporaryFolder {
        let (folder, source) = (try TemporaryFolder(), units.appending(path: part))
        for name in try names(in: source.path) {
            let text = try String(contentsOf: source.appending(path: name), encoding: .utf8)
            let there = text.replacing(/\/usr\/local\/bin\/tondo[a-z-]*/, with: "/bin/true")
            try folder.write(there, to: name, mode: 0o644)
        }
        return folder
    }

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { [".service", ".socket", ".timer"].contains(where: $0.hasSuffix) }.sorted()
    }

    private static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: analyze ?? "")
        process.arguments = arguments
        // The other units of the folder are found, and nothing of this session.
        process.environment = [
            "PATH": "/usr/bin:/bin", "SYSTEMD_UNIT_PATH": folder.pathString + ":", "HOME": folder.pathString,
            "XDG_RUNTIME_DIR": folder.pathString, "SYSTEMD_COLORS": "0", "LC_ALL": "C.UTF-8",
        ]
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
