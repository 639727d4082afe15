import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ConvertNamesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "ada.jpg")
    }

    @Test func `Without options one picture of 96 pixels goes into avatars`() throws {
        let outcome = try Tondo.run("convert", "ada.jpg", in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files() == ["ada.jpg", "avatars/ada.png"])
        #expect(try PNGSize(folder.data("avatars/ada.png")) == PNGSize(width: 96, height: 96))
    }

    @Test func `Control bytes of a photo's name are replaced in its picture's`() throws {
        try folder.add(Repository.small, as: "in/a\u{1B}[31m\nb\u{85}.jpg")
        let outcome = try Tondo.run("convert", "in", "-o", "out", in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out") == ["a_[31m_b__.png"])
    }

    @Test(arguments: [["-o", "new/"], []]) func `The summary names the output folder`(_ words: [String]) throws {
        let outcome = try RunningTondo(["convert", "ada.jpg"] + words, in: folder).finish()
        #expect(outcome.text.hasSuffix(" s; output: \(words.last ?? "avatars/")\n"))
    }

    @Test func `Several pictures are named after size, scale and state`() throws {
        let outcome = try Tondo.run(
            "convert", "ada.jpg", "--size", "16,20", "--scale", "1,2", "--state", "normal,selected", "-o", "out",
            in: folder)
        #expect(outcome.status == 0)
        #expect(
            try folder.files(below: "out") == [
                "ada-16@1x-normal.png", "ada-16@1x-selected.png", "ada-16@2x-normal.png", "ada-16@2x-selected.png",
                "ada-20@1x-normal.png", "ada-20@1x-selected.png", "ada-20@2x-normal.png", "ada-20@2x-selected.png",
            ])
        #expect(try PNGSize(folder.data("out/ada-20@2x-normal.png")) == PNGSize(width: 40, height: 40))
    }

    @Test func `Repeated values make one picture`() throws {
        _ = try Tondo.run("convert", "ada.jpg", "--size", "16,16", "-o", "out", in: folder)
        #expect(try folder.files(below: "out") == ["ada.png"])
    }

    @Test func `A name that ends in png is a file`() throws {
        let outcome = try Tondo.run("convert", "ada.jpg", "-o", "new/face.PNG", in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "new") == ["face.PNG"])
    }

    @Test func `A folder whose name ends in png stays a folder`() throws {
        try folder.makeFolder("faces.png")
        _ = try Tondo.run("convert", "ada.jpg", "-o", "faces.png", in: folder)
        #expect(try folder.files(below: "faces.png") == ["ada.png"])
    }

    @Test func `A closing slash means a folder`() throws {
        _ = try Tondo.run("convert", "ada.jpg", "-o", "faces.png/", in: folder)
        #expect(try folder.files(below: "faces.png") == ["ada.png"])
    }

    @Test func `A name of another picture format is refused`() throws {
        let outcome = try Tondo.run("convert", "ada.jpg", "-o", "face.jpg", in: folder)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("--output face.jpg: avatars are PNG"))
        #expect(try folder.files() == ["ada.jpg"])
    }

    @Test func `Recursion keeps the folder structure`() throws {
        try folder.add(Repository.small, as: "in/top.jpg")
        try folder.add(Repository.small, as: "in/team/a/bo.jpg")
        try folder.add(Repository.small, as: "in/team/b/bo.jpg")
        let outcome = try Tondo.run("convert", "in", "--recursive", "--size", "16", "-o", "out", in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out") == ["team/a/bo.png", "team/b/bo.png", "top.png"])
    }

    @Test func `Without recursion sub-folders are left alone`() throws {
        try folder.add(Repository.small, as: "in/top.jpg")
        try folder.add(Repository.small, as: "in/team/bo.jpg")
        _ = try Tondo.run("convert", "in", "--size", "16", "-o", "out", in: folder)
        #expect(try folder.files(below: "out") == ["top.png"])
    }

    @Test func `Two photos that would write one name are refused before anything is written`() throws {
        try folder.add(Repository.smallPNG, as: "ada.png")
        let outcome = try Tondo.run("convert", "ada.jpg", "ada.png", "-o", "out", in: folder)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("ada.jpg and ada.png would both write out/ada.png; rename one"))
        #expect(!folder.exists("out"))
    }

    @Test func `A photo named twice is converted once`() throws {
        let outcome = try Tondo.run("convert", "ada.jpg", "./ada.jpg", ".", "-o", "out", in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out") == ["ada.png"])
    }

    @Test func `A video or a note beside a photo does not take its name`() throws {
        try folder.add(Repository.small, as: "in/bo.jpg")
        try folder.write(Data("a note".utf8), to: "in/bo.aae")
        let outcome = try Tondo.run("convert", "in", "-o", "out", in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out") == ["bo.png"])
    }

    @Test(arguments: ["we ird.jpg", "😀.jpg", "-dash.jpg", "dots.in.name.jpg", "none"])
    func `Any file name is taken`(_ name: String) throws {
        try folder.add(Repository.small, as: name)
        let outcome = try Tondo.run("convert", "--size", "16", "-o", "out", "--", name, in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out") == [name.replacingOccurrences(of: ".jpg", with: "") + ".png"])
    }

    @Test func `Names that are no text keep their bytes`() throws {
        let outcome = try Tondo.run(
            Repository.path(Repository.small), in: folder,
            shell: #"""
                a=$(printf 'bad\377.jpg') b=$(printf 'bad\376.jpg')
                cp "$2" "$a"; cp "$2" "$b"
                "$1" convert "$a" "$b" --quiet --size 16 -o named && mkdir in && mv "$a" "$b" in &&
                "$1" convert in --quiet --size 16,20 -o found && LC_ALL=C ls -b named found
                """#)
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(
            outcome.lines == [
                "found:", #"bad\376-16@1x-normal.png"#, #"bad\376-20@1x-normal.png"#, #"bad\377-16@1x-normal.png"#,
                #"bad\377-20@1x-normal.png"#, "named:", #"bad\376.png"#, #"bad\377.png"#,
            ])
    }

    @Test func `A name with no room for its suffix fails by name, the others are done`() throws {
        let long = String(repeating: "n", count: 251)
        try folder.add(Repository.small, as: long + ".jpg")
        let outcome = try Tondo.run("convert", long + ".jpg", "ada.jpg", "--size", "16,20", "-o", "out", in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("\(long)-16@1x-normal.png: file name too long"))
        #expect(try folder.files(below: "out") == ["ada-16@1x-normal.png", "ada-20@1x-normal.png"])
    }
}

/// Sides in pixels, as the header of a PNG says.
struct PNGSize: Equatable {
    var width: Int
    var height: Int

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    init?(_ png: Data) {
        let bytes = [UInt8](png.prefix(24))
        guard bytes.count == 24, bytes[1...3] == [0x50, 0x4E, 0x47] else { return nil }
        width = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
        height = bytes[20..<24].reduce(0) { $0 << 8 | Int($1) }
    }
}
