import Foundation
import Testing
import TondoAvatars
import TondoCache
import TondoTestSupport

@testable import tondo

@Suite struct CacheWhyTests {
    private let cache: FilledCache
    private var folder: TemporaryFolder { cache.folder }

    init() throws { cache = try FilledCache() }

    private func why(_ subject: String, _ words: String..., shell: String? = nil) throws -> Outcome {
        try cache.run(["cache", "why", subject, "--size", "16", "--cache-dir", "cache"] + words, shell: shell)
    }

    @Test func `A hit shows its key, every word of the recipe and its file`() throws {
        let outcome = try why("ada.jpg")
        #expect(outcome.status == 0)
        #expect(outcome.lines[0] == "ada.jpg, 16@1x normal: hit")
        let key = try cache.keys()[0]
        #expect(outcome.value("key") == key)
        #expect(outcome.value("file") == cache.file(key))
        let ingredients = ["photo", "crop", "side", "inset", "background", "decode", "format", "renderer"]
        for name in ingredients { #expect(outcome.value(name) != nil, "\(name)") }
        #expect(outcome.value("contacts") == "ada")
    }

    @Test func `A changed photo is explained by its bytes`() throws {
        try folder.write(folder.data("ada.jpg") + Data([0]), to: "ada.jpg")
        let outcome = try why("ada.jpg")
        #expect(outcome.status == 1)
        #expect(outcome.lines[0] == "ada.jpg, 16@1x normal: miss")
        #expect(outcome.value("because")?.hasPrefix("other bytes: ") == true)
        #expect(try outcome.value("nearest") == cache.keys()[0])
    }

    @Test func `A changed ring is explained by its width`() throws {
        _ = try cache.convert("--state", "selected", "--ring-width", "2")
        let outcome = try why("ada.jpg", "--state", "selected", "--ring-width", "3")
        #expect(outcome.status == 1)
        #expect(outcome.value("because") == "other ring width: 3 pixels requested, 2 in the cache")
        #expect(outcome.value("ring") == "3   <- nearest: 2")
    }

    @Test func `An evicted entry is explained with time and reason`() throws {
        _ = try cache.run("prune", "--max-size", "1")
        let outcome = try why("ada.jpg")
        #expect(outcome.status == 1)
        #expect(outcome.value("because")?.hasPrefix("it was evicted on 2") == true)
        #expect(outcome.value("because")?.contains("over its size limit") == true)
    }

    @Test func `A corrupt photo is explained with its failure and the time of its retry`() throws {
        try folder.add(Repository.truncated, as: "cut.jpg")
        #expect(try why("cut.jpg").lines[0].hasSuffix(": miss"))
        _ = try cache.convert(only: "cut.jpg")
        let outcome = try why("cut.jpg")
        #expect(outcome.status == 1)
        #expect(outcome.lines[0] == "cut.jpg, 16@1x normal: failed before, not retried")
        #expect(outcome.value("because") == "decode: truncated: the picture data end too early")
        #expect(outcome.text.contains("retried when its bytes change"))
    }

    @Test func `What is no picture cannot be drawn`() throws {
        try folder.add(Repository.bmp, as: "bmp.jpg")
        let outcome = try why("bmp.jpg")
        #expect(outcome.status == 1)
        #expect(
            outcome.lines == [
                "bmp.jpg, 16@1x normal: cannot be drawn", "  because   unsupported: BMP image (save it as JPEG or PNG)",
            ])
    }

    @Test func `A contact is found in a book by its name and mail address, and explained by the photo it has now`()
        throws
    {
        let card = "BEGIN:VCARD\nVERSION:3.0\nUID:1\nFN:Ada Okafor\nEMAIL:ada@example.org\n"
        let photo = try folder.data("ada.jpg").base64EncodedString()
        try folder.write(Data("\(card)PHOTO;ENCODING=b:\(photo)\nEND:VCARD\n".utf8), to: "book.vcf")
        for name in ["Ada Okafor", "ada@example.org", "1"] {
            let outcome = try why(name, "--book", "book.vcf")
            #expect(outcome.lines.first == "\(name), 16@1x normal: hit", "\(outcome)")
            #expect(try outcome.value("key") == cache.keys()[0])
        }
        try folder.write(Data("\(card)PHOTO;ENCODING=b:aGVsbG8=\nEND:VCARD\n".utf8), to: "book.vcf")
        let broken = try why("Ada Okafor", "--book", "book.vcf")
        #expect(broken.status == 1)
        #expect(broken.lines == ["Ada Okafor, 16@1x normal: cannot be drawn", "  because   unsupported: text file"])
        let unknown = try why("Bo", "--book", "book.vcf")
        #expect(unknown.status == 1 && unknown.error.hasPrefix("tondo: Bo: no such contact"))
    }

    @Test func `An address book in the place of a photo is answered with the way to name a contact`() throws {
        try folder.write(Data("BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nEND:VCARD\n".utf8), to: "book.vcf")
        let outcome = try why("book.vcf")
        #expect(outcome.status == 1)
        #expect(
            outcome.error
                == "tondo: book.vcf: is an address book, not a photo; name a contact of a book: --book book.vcf CONTACT\n"
        )
    }

    @Test func `A damaged entry is explained`() throws {
        try cache.damage(cache.keys()[0])
        let outcome = try why("ada.jpg")
        #expect(outcome.status == 1)
        #expect(outcome.lines[0].hasSuffix(": damaged"))
        #expect(
            outcome.value("because") == "the checksum differs; the next request removes the entry and draws it again")
    }

    @Test func `A photo that is not there, or a folder, is an error`() throws {
        for (word, reason) in [
            ("gone.jpg", "no such photo"), ("x/y", "no such photo"),
            ("avatars", "is a folder, not a photo; name a contact of a book: --book avatars CONTACT"),
        ] {
            let outcome = try why(word)
            #expect(outcome.status == 1)
            #expect(outcome.error == "tondo: \(word): \(reason)\n")
        }
    }

    @Test func `A contact is answered without its photo`() throws {
        #expect(try why("ada").lines[0] == "ada, 16@1x normal: hit")
        #expect(try why("nobody").value("because")?.hasPrefix("the cache has no photo of this contact") == true)
    }

    @Test func `Each style is answered, and one miss is a miss`() throws {
        let outcome = try cache.run(["cache", "why", "ada.jpg", "--size", "16,20", "--cache-dir", "cache"])
        #expect(outcome.status == 1)
        let titles = outcome.lines.filter { $0.hasPrefix("ada.jpg, ") }
        #expect(titles == ["ada.jpg, 16@1x normal: hit", "ada.jpg, 20@1x normal: miss"])
    }

    @Test func `JSON is one object a style`() throws {
        let outcome = try cache.run(["cache", "why", "ada.jpg", "--size", "16,20", "--cache-dir", "cache", "--json"])
        let explanations = try outcome.reports(ExplanationReport.self)
        #expect(explanations.map(\.verdict) == ["hit", "miss"] && explanations.map(\.size) == [16, 20])
        #expect(explanations[0].recipe?.contains(" side=16 ") == true)
        #expect(try explanations[0].entry?.key == cache.keys()[0])
        #expect(try explanations[1].nearest?.key == cache.keys()[0])
        let difference = try #require(explanations[1].differences?.first)
        #expect(difference.name == "side" && difference.wanted == "20" && difference.found == "16")
    }

    @Test func `JSON has a failure, an eviction and damage with their reasons`() throws {
        func report(_ photo: String) throws -> ExplanationReport? {
            try why(photo, "--json").reports(ExplanationReport.self).first
        }
        try folder.add(Repository.truncated, as: "cut.jpg")
        _ = try cache.convert(only: "cut.jpg")
        let failed = try #require(try report("cut.jpg"))
        #expect(failed.verdict == "failed" && failed.reason == failed.failure?.message)
        #expect(failed.failure?.code == "truncated" && failed.failure?.attempts == 1 && failed.failure?.until == nil)
        try cache.damage(cache.keys()[0])
        let damaged = try #require(try report("ada.jpg"))
        #expect(damaged.verdict == "damaged" && damaged.reason == "the checksum differs")
        _ = try cache.run("prune", "--max-size", "1")
        let evicted = try #require(try report("bo.png"))
        #expect(evicted.verdict == "miss" && evicted.departed == "size" && evicted.departedAt != nil)
    }

    @Test func `A hit shows the part of the photo`() throws {
        #expect(try why("ada.jpg").value("shows") == "the centre; square 0,0 41x41 of 41x41")
        let report = try #require(try why("ada.jpg", "--json").reports(ExplanationReport.self).first)
        #expect(report.crop?.by == .centre && report.crop?.side == 41)
        #expect(try why("ada.jpg", "--crop", "top").value("shows") == nil)
    }

    @Test func `Without a face model one line says why the centre is shown`() throws {
        func error(_ words: String..., model: String = "unset TONDO_FACE_MODEL") throws -> String {
            let words = ["cache", "why", "ada.jpg", "--size", "16,20", "--cache-dir", "cache"] + words
            return try cache.run(words, shell: model + #"; exec "$@""#).error
        }
        #expect(try error() == "tondo: there is no face model: the centre is shown\n")
        #expect(try error("--crop", "centre") == "")
        #expect(try error(model: "export TONDO_FACE_MODEL=") == "")
        #expect(try error(model: "export TONDO_FACE_MODEL=ada.jpg").contains("ada.jpg: not a face model"))
    }

    @Test func `A question changes nothing`() throws {
        try cache.damage(cache.keys()[0])
        let before = try cache.run("stat", "--json").output
        for subject in ["ada.jpg", "bo.png", "bo"] { _ = try why(subject) }
        #expect(try cache.run("stat", "--json").output == before)
    }
}
