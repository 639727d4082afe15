import Testing

@testable import TondoContacts

@Suite struct ScaledPhotoTests {
    @Test(arguments: [
        (["ada.png", "ada@2x.png", "ada@3x.png"], "ada@3x.png"),
        (["ada.png", "ada@2x.png"], "ada@2x.png"),
        (["ada.png", "bob@3x.png"], "ada.png"),
        (["below/deeper/ada@3x.png", "below/ada@3x.png", "ada@2x.png", "a/ada.png"], "below/ada@3x.png"),
        (["z/ada@2x.png", "b/ada@2x.png"], "b/ada@2x.png"),
        (["ada@2x.jpg", "xada@3x.png", "ada@4x.png", "ADA.png"], nil),
    ]) func `The largest picture of a name is found, in the folder or below it`(existing: [String], picked: String?) {
        #expect(ScaledPhoto.pick(for: "ada.png", among: existing) == picked)
        #expect(ScaledPhoto.pick(for: "ada.png", among: existing.reversed()) == picked)
    }

    @Test func `A name may come without its extension or with folders`() {
        #expect(ScaledPhoto.pick(for: "ada", among: ["ada.jpg", "ada@2x.png"]) == "ada@2x.png")
        #expect(ScaledPhoto.pick(for: "ada", among: ["ada.webp", "ada@2x.webp"]) == "ada@2x.webp")
        #expect(ScaledPhoto.pick(for: "in/ada.png", among: ["ada@3x.png", "x/in/ada.png"]) == "x/in/ada.png")
        #expect(ScaledPhoto.candidates(for: "a.b.png") == ["a.b@3x.png", "a.b@2x.png", "a.b.png"])
    }

    @Test(arguments: ["", "/etc/passwd", "../ada.png", "/", "."])
    func `Names that lead elsewhere find nothing`(name: String) {
        #expect(ScaledPhoto.pick(for: name, among: ["ada.png", "etc/passwd"]) == nil)
    }
}
