import Testing
import TondoContacts

@testable import TondoAvatars

@Suite struct FaceLineTests {
    private static func line(_ ids: String...) -> FaceLine {
        var line = FaceLine()
        for id in ids { line.add(FaceLine.Want(Contact(id: id))) }
        return line
    }

    private func all(_ line: FaceLine) -> [String] {
        var (line, ids) = (line, [String]())
        while let want = line.take() { ids.append(want.contact.id) }
        return ids
    }

    @Test func `The first who come are the first`() { #expect(all(Self.line("a", "b", "c")) == ["a", "b", "c"]) }

    @Test func `Those who are looked at go ahead`() {
        var line = Self.line("a", "b", "c", "d")
        line.show(["d", "b"])
        #expect(all(line) == ["d", "b", "a", "c"])
    }

    @Test func `Those who are looked at go ahead also when they come later`() {
        var line = FaceLine()
        line.show(["c"])
        for id in ["a", "b", "c"] { line.add(FaceLine.Want(Contact(id: id))) }
        #expect(all(line) == ["c", "a", "b"])
    }

    @Test func `Emptying returns the number of wants`() {
        var line = Self.line("a", "b", "c")
        line.show(["c"])
        _ = line.take()
        #expect(line.removeAll() == 2)
        #expect(line.take() == nil && line.count == 0)
    }
}
