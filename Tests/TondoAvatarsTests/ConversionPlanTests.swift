import SystemPackage
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ConversionPlanTests {
    private func input(_ path: FilePath) -> ConversionInput {
        ConversionInput(source: .file(path), stem: FilePath(path.stem ?? ""))
    }

    @Test func `One picture a photo is named after the photo`() throws {
        let plan = try ConversionPlan(
            inputs: [input("in/ada.jpg")], styles: [Style(size: 96)], target: .folder("out"))
        #expect(plan.items[0].outputs == ["out/ada.png"])
    }

    @Test func `Several pictures a photo carry size, scale and state`() throws {
        let plan = try ConversionPlan(
            inputs: [input("ada.jpg")],
            styles: [Style(size: 96, scale: 2, state: .selected), Style(size: 48)], target: .folder("out"))
        #expect(plan.items[0].outputs == ["out/ada-96@2x-selected.png", "out/ada-48@1x-normal.png"])
    }

    @Test func `Two photos that would write one name are refused`() {
        #expect(throws: ConversionPlan.Problem.sameName("out/a.png", first: "x/a.jpg", second: "y/a.png")) {
            try ConversionPlan(
                inputs: [input("x/a.jpg"), input("y/a.png")], styles: [Style(size: 96)], target: .folder("out"))
        }
    }

    @Test func `Several pictures do not go into one file`() {
        #expect(throws: ConversionPlan.Problem.severalAvatars(2)) {
            try ConversionPlan(
                inputs: [input("a.jpg"), input("b.jpg")], styles: [Style(size: 96)], target: .file("o.png"))
        }
    }

    @Test func `The message of two equal names says what to do`() throws {
        let problem = ConversionPlan.Problem.sameName("out/a.png", first: "x/a.jpg", second: "y/a.png")
        #expect(
            "\(problem)" == "x/a.jpg and y/a.png would both write out/a.png; rename one, "
                + "or convert them into different folders")
    }

    @Test func `Two spellings of one name are one name`() {
        #expect(throws: ConversionPlan.Problem.self) {
            try ConversionPlan(
                inputs: [
                    ConversionInput(source: .standardInput, stem: "a/../b"),
                    ConversionInput(source: .file("b.jpg"), stem: "b"),
                ], styles: [Style(size: 96)], target: .folder("out"))
        }
    }

    @Test func `Several styles do not go into one pipe`() {
        #expect(throws: ConversionPlan.Problem.severalAvatars(2)) {
            try ConversionPlan(
                inputs: [input("a.jpg")], styles: [Style(size: 96), Style(size: 48)], target: .standardOutput)
        }
    }

    @Test func `Only what can be drawn takes a name`() throws {
        var video = input("x/a.mov")
        video.canDraw = false
        let plan = try ConversionPlan(
            inputs: [input("x/a.jpg"), video], styles: [Style(size: 96)], target: .folder("out"))
        #expect(plan.items.count == 2)
    }

    @Test func `Dots in a name stay`() throws {
        let plan = try ConversionPlan(
            inputs: [ConversionInput(source: .standardInput, stem: "ada.b.c")], styles: [Style(size: 96)],
            target: .folder("out"))
        #expect(plan.items[0].outputs == ["out/ada.b.c.png"])
    }

    @Test func `A source is no target, under whatever name`() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(SmallPhoto.bytes, to: "a.png")
        try folder.link("soft.png", to: "a.png")
        try folder.makeFolder("b")
        // A link is followed: the avatar would replace the file at its end.
        for (name, replaced) in [
            ("a.png", "a.png"), ("b/../a.png", "b/../a.png"), ("not/yet/../../a.png", "not/yet/../../a.png"),
            ("soft.png", "a.png"),
        ] {
            let plan = try ConversionPlan(
                inputs: [input(source)], styles: [Style(size: 96)], target: .file(folder.path.appending(name)))
            #expect(throws: ConversionPlan.Problem.overwritesSource(folder.path.appending(replaced))) {
                try plan.checkSources()
            }
        }
    }

    @Test func `A file where a folder must be is a problem before anything is written`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write([], to: "file")
        let plan = try ConversionPlan(
            inputs: [input("a.jpg")], styles: [Style(size: 96)], target: .folder(file.appending("deeper")))
        #expect(throws: ConversionPlan.Problem.notFolder(file)) { try plan.checkFolders() }
    }

    @Test func `Folders that are there or can be made are no problem`() throws {
        let folder = try TemporaryFolder()
        for target in [folder.path, folder.path.appending("new/deeper"), "surely-not-there"] {
            try ConversionPlan(inputs: [input("a.jpg")], styles: [Style(size: 96)], target: .folder(target))
                .checkFolders()
        }
    }

    @Test(arguments: ["cache", "cache/objects", "new/../cache/x", "link", "link/x"])
    func `Pictures never go into the cache's folder`(_ name: String) throws {
        let folder = try TemporaryFolder()
        try folder.link("link", to: "cache")
        let target = folder.path.appending(name)
        let plan = try ConversionPlan(inputs: [input("a.jpg")], styles: [Style(size: 96)], target: .folder(target))
        try folder.makeFolder("cache")
        #expect(throws: ConversionPlan.Problem.outputInCache(target.appending("a.png"))) {
            try plan.checkCache(folder.path.appending("cache"))
        }
    }

    @Test func `Pictures do not go where a cache is about to be made`() throws {
        let folder = try TemporaryFolder()
        let cache = folder.path.appending("cache")
        let plan = try ConversionPlan(inputs: [input("a.jpg")], styles: [Style(size: 96)], target: .folder(cache))
        #expect(throws: ConversionPlan.Problem.outputInCache(cache.appending("a.png"))) { try plan.checkCache(cache) }
    }

    @Test func `Pictures may go beside the cache, or around it`() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("cache")
        for name in ["cache-pictures", "", "other/cache"] {
            let target = ConversionPlan.Target.folder(folder.path.appending(name))
            let plan = try ConversionPlan(inputs: [input("a.jpg")], styles: [Style(size: 96)], target: target)
            try plan.checkCache(folder.path.appending("cache"))
        }
    }
}
