import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ConversionInputsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `Files are named without folders and extension`() throws {
        let found = try ConversionInputs(["x/ada.b.jpg", "bo", "/c/.dora"], recursive: false, output: nil)
        #expect(found.inputs.map(\.stem) == ["ada.b", "bo", ".dora"])
        #expect(found.inputs.allSatisfy { !$0.isFound })
    }

    @Test func `Standard input is named stdin`() throws {
        let found = try ConversionInputs(["-", "./-"], recursive: false, output: nil)
        #expect(found.inputs[0] == ConversionInput(source: .standardInput, stem: "stdin"))
        #expect(found.inputs[1].source == .file("./-"))
    }

    @Test func `A folder gives its files, named by their place in it`() throws {
        try folder.write([], to: "team/ada.jpg")
        let found = try ConversionInputs([folder.path], recursive: true, output: nil)
        #expect(found.inputs.map(\.stem) == ["team/ada"])
        #expect(found.inputs[0].source == .file(folder.path.appending("team/ada.jpg")))
        #expect(found.inputs[0].isFound)
    }

    @Test func `Bytes that are no UTF-8 stay in the name`() throws {
        let path = FilePath(platformString: [0x61, -1, 0x2E, 0x6A, 0])
        let stem = FilePath(platformString: [0x61, -1, 0])
        #expect(try ConversionInputs([path], recursive: false, output: nil).inputs[0].stem == stem)
    }

    @Test func `The output folder is not searched`() throws {
        try folder.write([], to: "a.jpg")
        try folder.write([], to: "out/b.jpg")
        let found = try ConversionInputs([folder.path], recursive: true, output: folder.path.appending("out"))
        #expect(found.inputs.map(\.stem) == ["a"])
    }

    @Test func `The output folder may not be an input folder`() throws {
        #expect(throws: ConversionPlan.Problem.outputIsInput(folder.path)) {
            try ConversionInputs([folder.path], recursive: false, output: folder.path.appending("."))
        }
    }

    @Test func `Of namesakes only photos can be drawn`() throws {
        try folder.write(SmallPhoto.bytes, to: "a.jpg")
        try folder.write(Array("a note".utf8), to: "a.txt")
        try folder.write(Array("a note".utf8), to: "alone.txt")
        let found = try ConversionInputs([folder.path], recursive: false, output: nil)
        #expect(found.inputs.map(\.canDraw) == [true, false, true])
    }

    @Test func `Photos whose names differ by case alone get numbers, and equal names stay equal`() throws {
        for name in ["ADA.jpg", "Ada.jpg", "Ada.png", "ada-2.jpg", "bo.jpg", "team/Bo.jpg"] {
            try folder.write(SmallPhoto.bytes, to: name)
        }
        try folder.write(Array("a note".utf8), to: "BO.txt")
        let found = try ConversionInputs([folder.path], recursive: true, output: nil)
        let drawn = found.inputs.filter(\.canDraw)
        #expect(drawn.map(\.stem) == ["ADA", "Ada-3", "Ada-3", "ada-2", "bo", "team/Bo"])
        #expect(found.inputs.filter { !$0.canDraw }.map(\.stem) == ["BO"])
    }

    @Test func `A photo that is a link to no file fails, and other such links are none`() throws {
        for name in ["ada.png", "team/cy.png"] { try folder.write(SmallPhoto.bytes, to: name) }
        for name in ["ada.jpg", "lock", "team/bo.heic"] { try folder.link(name, to: "/nowhere/there") }
        let found = try ConversionInputs([folder.path], recursive: true, output: nil)
        #expect(found.inputs.map(\.stem) == ["ada", "team/cy", "ada", "team/bo"])
        #expect(found.inputs.map(\.canDraw) == [true, true, false, false])
    }

    @Test func `Sub-folders that were not looked into are counted`() throws {
        try folder.makeFolder("one")
        #expect(try ConversionInputs([folder.path], recursive: false, output: nil).unentered == 1)
    }

    @Test func `The cache below an input is not searched`() throws {
        try folder.write(SmallPhoto.bytes, to: "ada.jpg")
        try folder.write(SmallPhoto.bytes, to: "cache/objects/ab/entry.png")
        let found = try ConversionInputs(
            [folder.path], recursive: true, output: nil, cache: folder.path.appending("cache"))
        #expect(found.inputs.map(\.stem) == ["ada"])
    }

    @Test func `The cache is no input`() throws {
        #expect(throws: ConversionPlan.Problem.cacheIsInput(folder.path)) {
            try ConversionInputs([folder.path], recursive: true, output: nil, cache: folder.path)
        }
    }
}
