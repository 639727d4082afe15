import Foundation
import Testing
import TondoTestSupport

@testable import tondo

/// Commands with workers that are at fault, missing or switched off.
@Suite struct SandboxTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A photo for which the worker with planted faults does this.
    private func add(_ name: String, fault: String? = nil) throws {
        let tail = fault.map { Data("\nFAULT \($0)\n".utf8) } ?? Data()
        try folder.write([UInt8](Repository.data(Repository.small) + tail), to: "photos/" + name)
    }

    /// `TONDO_RENDER=PROGRAM tondo WORDS...`
    private func run(_ program: String, _ words: String...) throws -> Outcome {
        let running = try RunningTondo(words, in: folder, shell: "TONDO_RENDER='\(program)' exec \"$@\"")
        running.closeInput()
        return try running.finish()
    }

    private func faults() throws -> String { try BuiltProgram.path("RenderFaults") }

    @Test func `A photo that crashes its worker fails alone, and is not tried again at once`() throws {
        for name in ["a.jpg", "c.jpg"] { try add(name) }
        try add("b.jpg", fault: "segfault")
        for run in 0..<2 {
            let outcome = try self.run(
                faults(), "convert", "photos", "-o", "out", "--cache-dir", "cache", "--json", "--jobs", "1")
            #expect(outcome.status == 1)
            let results = try outcome.json()
            #expect(results.compactMap { ($0["error"] as? [String: Any])?["code"] as? String } == ["decoder-crashed"])
            #expect(results.count == 4 && run < 2)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.pathString + "/out").sorted() == [
                "a.png", "c.png",
            ])
        let statistics = try Tondo.run("cache", "stat", "--cache-dir", "cache", "--json", in: folder)
        #expect(statistics.text.contains(#""decoder-crashed":1"#), "\(statistics.text)")
    }

    @Test func `A load with a photo that crashes its worker ends`() throws {
        let photo = try (Repository.data(Repository.small) + Data("\nFAULT read-passwd\n".utf8)).base64EncodedString()
        let card = "BEGIN:VCARD\nVERSION:3.0\nUID:a\nFN:Ada\nPHOTO;ENCODING=b;TYPE=JPEG:\(photo)\nEND:VCARD\n"
        try folder.write(Array(card.utf8), to: "book.vcf")
        let outcome = try run(faults(), "load", "book.vcf", "--cache-dir", "cache", "--json")
        let events = try outcome.json()
        #expect(events.compactMap { $0["code"] as? String } == ["decoder-crashed"])
        #expect(events.last?["event"] as? String == "finished")
        // The silhouette in its place.
        #expect(events.count { $0["event"] as? String == "avatar" } == 1)
    }

    @Test func `Without its program HEIC is refused by name, and drawn once that is installed`() throws {
        try folder.write([UInt8](Repository.data("Tests/Fixtures/heif/heic-plain.heic")), to: "photos/a.heic")
        let words = ["convert", "photos", "-o", "out", "--cache-dir", "cache", "--json"]
        let missing = try RunningTondo(words, in: folder, shell: "TONDO_RENDER_HEIF=/nothing exec \"$@\"")
        missing.closeInput()
        let refused = try missing.finish()
        #expect(refused.status == 1)
        #expect(refused.text.contains("unsupported: HEIC (install tondo-heif)"), "\(refused.text)")
        let drawn = try run(BuiltProgram.path("tondo-render"), "convert", "photos", "-o", "out", "--cache-dir", "cache")
        #expect(drawn.status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.pathString + "/out/a.png"))
    }

    @Test func `A check finds a program for HEIC that cannot run, and none that is missing`() throws {
        for (program, status) in [("/nothing", Int32(0)), ("/bin/false", 78)] {
            let running = try RunningTondo(
                ["config", "check", "--config", "/dev/null"], in: folder,
                shell: "TONDO_RENDER_HEIF=\(program) exec \"$@\"")
            running.closeInput()
            #expect(try running.finish().status == status, "\(program)")
        }
    }

    @Test func `A check warns if initials cannot be drawn, unless they are off`() throws {
        for (initials, warns) in [("tondo", true), ("off", false)] {
            let running = try RunningTondo(
                ["config", "check", "--config", "/dev/null"], in: folder,
                shell: "TONDO_INITIALS=\(initials) TONDO_RENDER_TEXT=/nothing exec \"$@\"")
            running.closeInput()
            let outcome = try running.finish()
            #expect(outcome.status == 0)
            let warning =
                "tondo: warning: $TONDO_INITIALS: initials = tondo, but tondo-render-text is missing (install tondo-text)\n"
            #expect(outcome.error == (warns ? warning : ""), "\(outcome.error)")
        }
    }

    private static let faceWarning = "tondo: warning: avatars show the centre of photos, not the faces: "

    @Test(arguments: [
        ("unset TONDO_FACE_MODEL", "there is no face model ("),
        ("export TONDO_FACE_MODEL=/dev/null", "/dev/null: not a regular file ("), ("export TONDO_FACE_MODEL=", nil),
    ])
    func `A check warns without a face model, unless there is none on purpose`(_ change: String, _ problem: String?)
        throws
    {
        let outcome = try Tondo.run(
            "config", "check", "--config", "/dev/null", in: folder, shell: "\(change); exec \"$@\"")
        #expect(outcome.status == 0)
        let warning = problem.map { Self.faceWarning + $0 }
        #expect(warning.map(outcome.error.contains) ?? !outcome.error.contains("faces"), "\(outcome.error)")
    }

    @Test func `A command warns of a face model that is of no use, not of one that is missing`() throws {
        try add("a.jpg")
        for (change, warns) in [("unset TONDO_FACE_MODEL", false), ("export TONDO_FACE_MODEL=/nothing", true)] {
            let outcome = try Tondo.run(
                "convert", "photos", "-o", "out", in: folder, shell: "\(change); exec \"$@\"")
            #expect(outcome.status == 0)
            let warning = Self.faceWarning + "/nothing: No such file or directory ("
            #expect(outcome.error.contains(warning) == warns, "\(outcome.error)")
        }
    }

    @Test func `Without the program nothing is decoded`() throws {
        try add("a.jpg")
        let outcome = try run("/no/such/program", "convert", "photos", "-o", "out")
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("/no/such/program: No such file or directory"))
        #expect(!FileManager.default.fileExists(atPath: folder.pathString + "/out/a.png"))
        #expect(try run("/no/such/program", "load", "photos").status == 69)
        #expect(try run("/no/such/program", "serve", "--listen", "127.0.0.1:0", "photos").status == 78)
        let check = try run("/no/such/program", "config", "check")
        #expect(check.status == 78)
        #expect(check.error.contains("sandbox is on"))
    }

    @Test func `Without the sandbox photos are decoded in the process, with a warning`() throws {
        try add("a.jpg", fault: "segfault")
        let outcome = try run("/no/such/program", "convert", "photos", "-o", "out", "--sandbox", "off")
        #expect(outcome.status == 0)
        #expect(outcome.error.contains("warning: the sandbox is off"))
    }
}
