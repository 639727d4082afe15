import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ConvertJSONTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "ada.jpg")
    }

    @Test func `A result contains the photo and every avatar`() throws {
        let outcome = try Tondo.run("convert", "ada.jpg", "--size", "16,20", "--json", "-o", "out", in: folder)
        let line = try #require(try outcome.json().first)
        #expect(
            Set(line.keys) == [
                "event", "input", "status", "format", "width", "height", "orientation", "crop", "outputs",
                "warnings", "ms",
            ])
        #expect(line["event"] as? String == "result")
        #expect(line["input"] as? String == "ada.jpg")
        #expect(line["status"] as? String == "done")
        #expect(line["format"] as? String == "jpeg")
        #expect(line["width"] as? Int == 41)
        #expect(line["orientation"] as? Int == 1)
        let outputs = try #require(line["outputs"] as? [[String: Any]])
        #expect(outputs.map { $0["path"] as? String } == ["out/ada-16@1x-normal.png", "out/ada-20@1x-normal.png"])
        #expect(outputs[1]["size"] as? Int == 20)
        #expect(outputs[1]["scale"] as? Int == 1)
        #expect(outputs[1]["side"] as? Int == 20)
        #expect(outputs[1]["state"] as? String == "normal")
        #expect(outputs[1]["written"] as? Bool == true)
        #expect(try outputs[1]["bytes"] as? Int == folder.data("out/ada-20@1x-normal.png").count)
    }

    @Test func `A failure contains stage, code and message`() throws {
        try folder.add(Repository.bmp, as: "bmp.jpg")
        let outcome = try Tondo.run("convert", "bmp.jpg", "--json", in: folder)
        let line = try #require(try outcome.json().first)
        #expect(line["status"] as? String == "failed")
        #expect(
            line["error"] as? [String: String]
                == [
                    "stage": "probe", "code": "unsupported",
                    "message": "unsupported: BMP image (save it as JPEG or PNG)",
                ])
        #expect(outcome.error == "tondo: bmp.jpg: unsupported: BMP image (save it as JPEG or PNG)\n")
    }

    @Test func `The summary is the last line and counts everything`() throws {
        try folder.add(Repository.text, as: "in/notes.txt")
        try folder.add(Repository.small, as: "in/bo.jpg")
        _ = try Tondo.run("convert", "ada.jpg", "--size", "16", in: folder)
        let outcome = try Tondo.run("convert", "ada.jpg", "in", "gone.jpg", "--size", "16", "--json", in: folder)
        let lines = try outcome.json()
        #expect(lines.map { $0["event"] as? String } == ["result", "result", "result", "summary"])
        let summary = try #require(lines.last)
        let counts = ["inputs": 4, "done": 1, "skipped": 1, "failed": 1, "ignored": 1, "written": 1, "left": 0]
        for (name, count) in counts { #expect(summary[name] as? Int == count, "\(name)") }
        #expect(summary["interrupted"] as? Bool == false)
        #expect(try summary["bytes"] as? Int == folder.data("avatars/bo.png").count)
        #expect(summary["seconds"] is Double)
    }

    @Test func `Results come in the order of the inputs`() throws {
        let names = (10..<30).map { "\($0).jpg" }
        for name in names { try folder.add(Repository.small, as: "in/" + name) }
        let outcome = try Tondo.run("convert", "in", "--size", "16", "--json", "--jobs", "8", in: folder)
        #expect(try outcome.json().dropLast().map { $0["input"] as? String } == names.map { "in/" + $0 })
    }

    @Test func `One existing style of several is marked`() throws {
        _ = try Tondo.run("convert", "ada.jpg", "--size", "16,20", in: folder)
        try FileManager.default.removeItem(atPath: folder.pathString + "/avatars/ada-16@1x-normal.png")
        let outcome = try Tondo.run("convert", "ada.jpg", "--size", "16,20", "--json", in: folder)
        let line = try #require(try outcome.json().first)
        #expect(line["status"] as? String == "done")
        let outputs = try #require(line["outputs"] as? [[String: Any]])
        let written = Dictionary(
            outputs.map { ($0["size"] as? Int ?? 0, $0["written"] as? Bool ?? false) }, uniquingKeysWith: { $1 })
        #expect(written == [16: true, 20: false])
    }
}
