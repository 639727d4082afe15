import Testing
import TondoTestSupport

@testable import TondoMirror

/// Reading the state of a mirror for many changes.
@Suite struct MirrorStatesTests {
    @Test func `a state that a run replaced is read again`() throws {
        let temporary = try TemporaryFolder()
        let layout = MirrorLayout(name: "work", in: temporary.path)
        let states = MirrorStates()
        #expect(states.entry(of: layout) == nil)
        func put(_ name: String) throws {
            let mirror = try MirrorFolder(layout: layout)
            try mirror.put([.init(id: "/book/\(name)", version: "1", name: name, bytes: Array(name.utf8))])
            _ = try mirror.finish(attributes: [:])
        }
        try put("ada")
        #expect(states.entry(of: layout)?.ids == ["ada.vcf": "/book/ada"])
        try put("bob")
        #expect(states.entry(of: layout)?.ids.count == 2)
    }
}
