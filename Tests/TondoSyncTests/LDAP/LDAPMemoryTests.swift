import Foundation
import Testing
import TondoSync
import TondoTestSupport

/// The process `tondo-sync`, which writes people as they arrive.
@Suite(.blocking, .enabled(if: Slapd.isInstalled, "needs slapd and ldap-utils")) struct LDAPMemoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func order(_ slapd: Slapd) throws -> String {
        try folder.write("\(Slapd.password)\n", to: "password")
        let order: [String: Any] = [
            "action": "run", "folder": folder.pathString + "/mirrors", "books": [String](), "isDry": false,
            "isJSON": true, "allowsDeletion": false, "isManual": true,
            "sources": [
                [
                    "name": "staff", "kind": "ldap", "url": try slapd.url().server + "/dc=example,dc=org",
                    "user": Slapd.administrator, "authentication": "auto", "isInsecure": false, "isWritable": false,
                    "hosts": [String](),
                    "options": [String: [String]](),
                    "secret": ["file": folder.pathString + "/password", "command": [String]()],
                ]
            ],
        ]
        return try folder.write(
            String(decoding: try JSONSerialization.data(withJSONObject: order), as: UTF8.self), to: "order.json")
    }

    /// Kilobytes of memory at most, and the exit status.
    private func run(_ order: String) throws -> (peak: Int, status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec \"$0\" --order 3 3<\"$1\"", try BuiltProgram.path("tondo-sync"), order]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        var peak = 0
        while process.isRunning {
            let status =
                (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            peak = max(peak, line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            usleep(5_000)
        }
        return (peak, process.terminationStatus)
    }

    /// 3,000 photos of 20 kB are 60 MB, as base64 80 MB.
    @Test func `Memory does not grow with the photos`() throws {
        func photo(_ number: Int) -> [UInt8] {
            [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 20_000)
        }
        let slapd = try Slapd(.init(people: Slapd.people(0..<3_000, photo: photo)))
        let (peak, status) = try run(try order(slapd))
        #expect(status == 0)
        #expect(try folder.names(in: "mirrors/staff/cards").count == 3_000)
        #expect(peak > 1_000)
        #expect(peak < 60_000, "\(peak) kB")
    }
}
