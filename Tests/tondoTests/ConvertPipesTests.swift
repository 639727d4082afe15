import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ConvertPipesTests {
    private let folder: TemporaryFolder
    private let photo: Data

    init() throws {
        folder = try TemporaryFolder()
        photo = try Repository.data(Repository.small)
    }

    @Test func `A photo goes through pipes and nothing else is printed`() throws {
        try folder.write(photo, to: "ada.jpg")
        _ = try Tondo.run("convert", "ada.jpg", "-o", "ada.png", in: folder)
        let outcome = try Tondo.run("convert", "-", "-o", "-", in: folder, input: photo)
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        #expect(try outcome.output == folder.data("ada.png"))
    }

    @Test func `Standard input is called stdin in a folder`() throws {
        _ = try Tondo.run("convert", "-", "-o", "out", in: folder, input: photo)
        #expect(try folder.files() == ["out/stdin.png"])
    }

    @Test func `All styles come from input that can be read only once`() throws {
        let outcome = try Tondo.run(
            "convert", "-", "--size", "16,20,24", "--state", "normal,selected", "-o", "out", in: folder, input: photo)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out").count == 6)
    }

    @Test func `A named pipe is read like a file`() throws {
        let outcome = try Tondo.run(
            Repository.path(Repository.small), in: folder,
            shell: #"mkfifo face.jpg; cat "$2" > face.jpg & exec "$1" convert face.jpg --size 16,20 -o out"#)
        #expect(outcome.status == 0)
        #expect(try folder.files(below: "out").count == 2)
    }

    @Test func `Empty input is named with its reason`() throws {
        let outcome = try Tondo.run("convert", "-", "-o", "-", in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: standard input: empty file\n")
        #expect(outcome.output.isEmpty)
    }

    @Test func `A full disk behind standard output is named`() throws {
        let outcome = try Tondo.run(
            "convert", "-", "-o", "-", in: folder, input: photo, shell: #"exec "$@" > /dev/full"#)
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("cannot write standard output: no space left on device"))
    }

    @Test func `Results that cannot be printed end the run with their reason`() throws {
        try folder.write(photo, to: "ada.jpg")
        let outcome = try Tondo.run("convert", "ada.jpg", "--json", in: folder, shell: #"exec "$@" > /dev/full"#)
        #expect(outcome.status == 74)
        #expect(outcome.error == "tondo: standard output: cannot be written: no space left on device\n")
        #expect(try folder.files() == ["ada.jpg", "avatars/ada.png"])
    }

    @Test func `A reader that goes away stops the run without a crash or a temporary file`() throws {
        try folder.write(photo, to: "ada.jpg")
        try folder.write(photo, to: "later.jpg")
        let running = try RunningTondo(
            ["convert", "ada.jpg", "-", "later.jpg", "--json", "--jobs", "1", "-o", "out"], in: folder)
        try running.wait(forOutput: "\n")
        running.closeOutput()
        running.send(photo)
        let outcome = try running.finish()
        #expect(outcome.status == 141)
        #expect(outcome.error.isEmpty)
        #expect(try folder.files(below: "out").filter { $0.hasSuffix(".tmp") } == [])
        #expect(folder.exists("out/stdin.png"))
    }

    @Test func `Closed streams never let messages into a picture`() throws {
        try folder.write(photo, to: "ada.jpg")
        _ = try Tondo.run("convert", "ada.jpg", "-o", "open.png", in: folder)
        let outcome = try Tondo.run(
            "convert", "ada.jpg", "--json", "-o", "closed.png", in: folder, shell: #"exec "$@" <&- >&- 2>&-"#)
        #expect(outcome.status == 74)
        #expect(try folder.data("closed.png") == folder.data("open.png"))
    }

    @Test func `Closed standard output is named`() throws {
        try folder.write(photo, to: "ada.jpg")
        let outcome = try Tondo.run("convert", "ada.jpg", "--json", in: folder, shell: #"exec "$@" >&-"#)
        #expect(outcome.status == 74)
        #expect(outcome.error == "tondo: standard output: cannot be written: bad file descriptor\n")
    }

    @Test func `Closed standard input is named`() throws {
        let outcome = try Tondo.run("convert", "-", in: folder, shell: #"exec "$@" <&-"#)
        #expect(outcome.status == 1)
        #expect(outcome.error == "tondo: standard input: cannot be read: bad file descriptor\n")
    }

    @Test func `Standard output that is a terminal is refused`() throws {
        let outcome = try Tondo.run(
            "convert", Repository.path(Repository.small), "-o", "-", in: folder,
            shell: #"exec script -qec "'$1' convert '$3' -o -" typescript"#)
        #expect(outcome.status == 64)
        #expect(outcome.text.contains("standard output is a terminal"))
    }
}
