import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct PhotosFitTests {
    private let folder: TemporaryFolder
    private let all: Data

    /// A book of two files: one with a large photo, a small one and none, the other with a large one that is cropped.
    init() throws {
        folder = try TemporaryFolder()
        let large = try Repository.data("assets/samples/bo.jpg").base64EncodedString()
        let turned = try Repository.data("assets/samples/chidi.jpg").base64EncodedString()
        let small = try Repository.data(Repository.small).base64EncodedString()
        let cards = [
            PhotoBook.card("Ada", photo: "ENCODING=b;TYPE=JPEG:\(large)"),
            PhotoBook.card("Bo", photo: "ENCODING=b;TYPE=JPEG:\(small)"),
            PhotoBook.card("Carl", photo: nil),
        ]
        all = Data(cards.joined().utf8)
        try folder.write(all, to: "people/all.vcf")
        let crop = "X-ABCROP-RECTANGLE=ABClipRect_1&84&112&420&560&"
        let dora = PhotoBook.card("Dora", photo: "\(crop);ENCODING=b;TYPE=JPEG:\(turned)")
        try folder.write(Data(dora.utf8), to: "people/dora.vcf")
    }

    private func fit(_ words: String...) throws -> Outcome {
        let bounds = ["--max-side", "400", "--max-bytes", "30kB", "--trash", "trash"]
        return try RunningTondo(["photos", "fit", "people"] + bounds + words, in: folder).finish()
    }

    private func listed() throws -> [String: (side: Int, bytes: Int)] {
        let outcome = try RunningTondo(["photos", "ls", "people", "--json"], in: folder).finish()
        let lines = try outcome.json().map { line in
            let sides = [line["width"] as? Int ?? 0, line["height"] as? Int ?? 0]
            return (
                line["id"] as? String ?? "", (side: sides.max() ?? 0, bytes: line["bytes"] as? Int ?? 0)
            )
        }
        return Dictionary(uniqueKeysWithValues: lines)
    }

    @Test func `Large photos become smaller, the others stay, and all come back byte for byte`()
        throws
    {
        let dora = try folder.data("people/dora.vcf")
        let outcome = try fit("--yes")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(
            outcome.lines.count == 2
                && outcome.lines[0].hasPrefix("ada  Ada: 1200 x 800, 87.7 kB -> 400 x 267, "))
        #expect(outcome.error.contains("2 photos made smaller: 171 kB before, "))
        let photos = try listed()
        #expect(photos["ada"]?.side == 400 && photos["dora"]?.side == 400 && photos["bo"]?.side == 41)
        #expect(photos.values.allSatisfy { $0.bytes <= 30_000 })
        let text = String(decoding: try folder.data("people/dora.vcf"), as: UTF8.self).replacing(
            "\r\n ", with: "")
        #expect(text.contains("X-ABCROP-RECTANGLE=ABClipRect_1&30&40&150&200&"))
        #expect(try fit("--undo").status == 0)
        #expect(try folder.data("people/all.vcf") == all)
        #expect(try folder.data("people/dora.vcf") == dora)
        #expect(try fit("--undo").status == 1)
    }

    @Test func `A photo of few bytes and too many pixels gets no more bytes`() throws {
        let bounds = ["--max-side", "1100", "--max-bytes", "10MB", "--trash", "trash", "--json", "--dry-run"]
        let lines = try RunningTondo(["photos", "fit", "people"] + bounds, in: folder).finish().json()
        let sizes = lines.map { line in
            ["before", "after"].map { (line[$0] as? [String: Any])?["bytes"] as? Int ?? 0 }
        }
        #expect(sizes.count == 2 && sizes.allSatisfy { 0 < $0[1] && $0[1] <= $0[0] }, "\(sizes)")
    }

    @Test func `A second run finds nothing to do`() throws {
        #expect(try fit("--yes").status == 0)
        let before = try folder.data("people/all.vcf")
        let outcome = try fit("--yes")
        #expect(outcome.status == 0 && outcome.error.contains("no photo is over 400 pixels or 30.0 kB"))
        #expect(try folder.data("people/all.vcf") == before)
    }

    @Test func `A dry run shows both sizes, and changes nothing`() throws {
        let reports = try fit("--dry-run", "--json").json()
        #expect(reports.map { $0["status"] as? String } == ["would-change", "would-change"])
        let (before, after) = (
            reports[0]["before"] as? [String: Any], reports[0]["after"] as? [String: Any]
        )
        #expect(before?["width"] as? Int == 1_200 && after?["width"] as? Int == 400)
        #expect(try folder.data("people/all.vcf") == all)
        #expect(!folder.exists("trash"))
    }

    @Test func `Without a terminal it needs --yes`() throws {
        let outcome = try fit()
        #expect(outcome.status == 64)
        #expect(
            outcome.error.contains(
                "this changes 2 photos over 400 pixels or 30.0 kB (171 kB) in people: add --yes"))
        #expect(try folder.data("people/all.vcf") == all)
    }

    @Test func `A photo that cannot be drawn is reported, and the others of its file are fitted`()
        throws
    {
        let broken = try Repository.data("assets/samples/hana.jpg").prefix(40_000).base64EncodedString()
        let text =
            String(decoding: all, as: UTF8.self) + PhotoBook.card("Eve", photo: "ENCODING=b:\(broken)")
        try folder.write(Data(text.utf8), to: "people/all.vcf")
        let outcome = try fit("--yes")
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("tondo: eve  Eve: "))
        #expect(try listed()["ada"]?.side == 400)
        #expect(
            try folder.data("people/all.vcf").range(
                of: Data(PhotoBook.card("Eve", photo: "ENCODING=b:\(broken)").utf8)) != nil)
    }

    @Test func `An undo leaves alone what another program changed since`() throws {
        _ = try fit("--yes")
        let text = String(decoding: try folder.data("people/dora.vcf"), as: UTF8.self).replacing(
            "FN:Dora", with: "FN:D")
        try folder.write(Data(text.utf8), to: "people/dora.vcf")
        let outcome = try fit("--undo")
        #expect(outcome.status == 1)
        #expect(try folder.data("people/all.vcf") == all)
        #expect(try folder.data("people/dora.vcf") == Data(text.utf8))
    }
}
