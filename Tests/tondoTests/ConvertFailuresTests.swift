import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ConvertFailuresTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "ada.jpg")
    }

    @Test func `Each failed photo is named with its reason and the others are done`() throws {
        try folder.add(Repository.bmp, as: "bmp.jpg")
        try folder.add(Repository.truncated, as: "cut.jpg")
        let outcome = try Tondo.run("convert", "bmp.jpg", "cut.jpg", "gone.jpg", "ada.jpg", "-o", "out", in: folder)
        #expect(outcome.status == 1)
        let errors = outcome.error.split(separator: "\n")
        #expect(errors.count == 3)
        #expect(errors[0] == "tondo: bmp.jpg: unsupported: BMP image (save it as JPEG or PNG)")
        #expect(errors[1].hasPrefix("tondo: cut.jpg: truncated: "))
        #expect(errors[2] == "tondo: gone.jpg: cannot be read: no such file or directory")
        #expect(outcome.text.hasPrefix("1 photo converted to 1 avatar, 3 failed in "))
        #expect(try folder.files(below: "out") == ["ada.png"])
    }

    @Test func `The bytes decide the type, not the name`() throws {
        try folder.add(Repository.smallPNG, as: "really-png.jpg")
        try folder.add(Repository.small, as: "really-jpeg.txt")
        let outcome = try Tondo.run("convert", "really-png.jpg", "really-jpeg.txt", "-o", "out", in: folder)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out") == ["really-jpeg.png", "really-png.png"])
    }

    @Test func `In a folder other files are passed over, other pictures are named`() throws {
        try folder.add(Repository.small, as: "in/ada.jpg")
        try folder.add(Repository.text, as: "in/notes.txt")
        try folder.add(Repository.bmp, as: "in/bmp.bmp")
        let outcome = try Tondo.run("convert", "in", "-o", "out", in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: in/bmp.bmp: unsupported: BMP image (save it as JPEG or PNG)\n")
        #expect(outcome.text.hasPrefix("1 photo converted to 1 avatar, 1 failed, 1 other file ignored in "))
    }

    @Test func `A text file that is named is a failure`() throws {
        try folder.add(Repository.text, as: "notes.txt")
        let outcome = try Tondo.run("convert", "notes.txt", in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: notes.txt: unsupported: text file\n")
    }

    @Test func `Damage that can be done without is a warning and no failure`() throws {
        try folder.add(Repository.badProfile, as: "bad.jpg")
        let outcome = try Tondo.run("convert", "bad.jpg", in: folder)
        #expect(outcome.status == 0)
        #expect(outcome.error.hasPrefix("tondo: bad.jpg: warning: colour profile ignored: "))
    }

    @Test func `Memory beyond the limit is refused by name`() throws {
        try folder.add(Repository.sample, as: "large.jpg")
        let outcome = try Tondo.run("convert", "large.jpg", "--max-memory", "100kB", in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("tondo: large.jpg: over memory: "))
    }

    @Test func `An empty folder is said to be empty`() throws {
        try folder.makeFolder("empty")
        let outcome = try Tondo.run("convert", "empty", in: folder)
        #expect(outcome.status == 0)
        #expect(outcome.text == "no photos found\n")
    }

    @Test func `A folder of folders hints at recursion`() throws {
        try folder.makeFolder("albums/one")
        let outcome = try Tondo.run("convert", "albums", in: folder)
        #expect(outcome.text == "no photos found; --recursive converts 1 sub-folder too\n")
    }

    @Test func `Control characters of a name do not reach the terminal`() throws {
        let outcome = try Tondo.run("convert", "a\u{1B}[31m.jpg", in: folder)
        #expect(!outcome.error.contains("\u{1B}"))
        #expect(outcome.error.contains(#"a\u{001B}[31m.jpg"#) || outcome.error.contains(#"a\u{1B}[31m.jpg"#))
    }

    @Test func `Sources are never overwritten, whatever their name is`() throws {
        try folder.add(Repository.smallPNG, as: "face.png")
        try FileManager.default.linkItem(
            atPath: folder.pathString + "/face.png", toPath: folder.pathString + "/hard.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder.pathString + "/soft.png", withDestinationPath: "face.png")
        let before = try folder.files()
        for output in ["face.png", "./x/../face.png", "hard.png", "soft.png", folder.pathString + "/face.png"] {
            let outcome = try Tondo.run("convert", "face.png", "--force", "-o", output, in: folder)
            #expect(outcome.status == 64, "\(output)")
            #expect(outcome.error.contains("is a source and would be overwritten"))
        }
        #expect(try folder.files() == before)
        #expect(try folder.data("face.png") == Repository.data(Repository.smallPNG))
    }

    @Test func `The folder of the photos is refused as the output folder`() throws {
        try folder.add(Repository.small, as: "in/bo.jpg")
        let outcome = try Tondo.run("convert", "in", "-o", "./in/", in: folder)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("would be mixed with the photos of in; name another output folder"))
        #expect(try folder.files(below: "in") == ["bo.jpg"])
    }

    @Test func `An output folder that is a file is refused at once`() throws {
        try folder.write(Data("mine".utf8), to: "taken")
        for output in ["taken", "taken/deeper/down"] {
            let outcome = try Tondo.run("convert", "ada.jpg", "-o", output, in: folder)
            #expect(outcome.status == 64)
            #expect(outcome.error.contains("taken is not a folder"))
        }
        #expect(try folder.data("taken") == Data("mine".utf8))
    }

    @Test func `A picture that does not fit the disk leaves nothing behind`() throws {
        let outcome = try Tondo.run("convert", "ada.jpg", "-o", "out", in: folder, shell: #"ulimit -f 1; exec "$@""#)
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: ada.jpg: cannot write out/ada.png: file too large\n")
        #expect(try folder.files() == ["ada.jpg"])
    }

    @Test(.enabled(if: Unprivileged.isPossible, "needs an ordinary user, or setpriv to become one"))
    func `An output folder that may not be written to is named`() throws {
        try folder.makeFolder("out")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.pathString + "/out")
        let outcome = try Tondo.run("convert", "ada.jpg", "-o", "out", in: folder, shell: Unprivileged.shell)
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: ada.jpg: cannot write out/ada.png: permission denied\n")
    }

    @Test(.enabled(if: Unprivileged.isPossible, "needs an ordinary user, or setpriv to become one"))
    func `A forbidden output folder is one error, and no further photo is begun`() throws {
        for number in 0..<40 { try folder.add(Repository.small, as: "in/\(number + 10).jpg") }
        try folder.makeFolder("out")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.pathString + "/out")
        let outcome = try Tondo.run(
            "convert", "in", "--jobs", "1", "-o", "out", in: folder, shell: Unprivileged.shell)
        #expect(outcome.status == 1)
        // Two photos are on their way with one worker, see `RenderWorkers.Options.isAhead`; either may be written first.
        let errors = ["10", "11"].map { "tondo: in/\($0).jpg: cannot write out/\($0).png: permission denied\n" }
        #expect(errors.contains(outcome.error))
        #expect(outcome.text.contains("1 failed, 39 not started in "))
    }

    @Test(.enabled(if: Unprivileged.isPossible, "needs an ordinary user, or setpriv to become one"))
    func `A forbidden output folder does not stop those beside it`() throws {
        for name in ["in/a/1.jpg", "in/a/2.jpg", "in/b/1.jpg"] { try folder.add(Repository.small, as: name) }
        for (name, mode) in [("out", 0o777), ("out/a", 0o555)] {
            try folder.makeFolder(name)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: folder.pathString + "/" + name)
        }
        let outcome = try Tondo.run(
            "convert", "in", "-r", "--jobs", "1", "-o", "out", in: folder, shell: Unprivileged.shell)
        // See above.
        let errors = ["1", "2"].map { "tondo: in/a/\($0).jpg: cannot write out/a/\($0).png: permission denied\n" }
        #expect(errors.contains(outcome.error))
        #expect(try folder.files(below: "out") == ["b/1.png"])
    }

    @Test(.enabled(if: Unprivileged.isPossible, "needs an ordinary user, or setpriv to become one"))
    func `A folder that may not be read is named and the others are done`() throws {
        try folder.add(Repository.small, as: "in/open/bo.jpg")
        for (name, mode) in [("in/closed", 0o000), ("out", 0o777)] {
            try folder.makeFolder(name)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: folder.pathString + "/" + name)
        }
        let outcome = try Tondo.run("convert", "in", "-r", "-o", "out", in: folder, shell: Unprivileged.shell)
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: in/closed: cannot be listed: permission denied\n")
        #expect(try folder.files(below: "out") == ["open/bo.png"])
    }
}
