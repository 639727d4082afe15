import Foundation
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// Photos that a confined process draws as books store them.
@Suite struct FitTests {
    private static let bounds = StorablePhoto.Bounds(maxSide: 300, maxBytes: 30_000)

    private func workers() throws -> RenderWorkers {
        RenderWorkers(options: .init(program: try BuiltProgram.path("tondo-render")))
    }

    private func fit(_ name: String, by workers: RenderWorkers) throws -> [UInt8] {
        try [UInt8](try Repository.data(name)).withUnsafeBytes { bytes in
            let format = (try? PhotoGeometry(probing: bytes))?.format ?? .jpeg
            return try workers.fit(.bytes(bytes), format: format, within: Self.bounds, limits: Limits())
        }
    }

    @Test func `A worker gives the bytes that this process would give, and draws avatars in between`() throws {
        let workers = try workers()
        defer { workers.endIdle() }
        for name in ["assets/samples/bo.jpg", "assets/samples/farid.png", "assets/samples/chidi.jpg"] {
            let own = try [UInt8](try Repository.data(name)).withUnsafeBytes {
                try PhotoFitter(bounds: Self.bounds).fit($0).bytes
            }
            #expect(try fit(name, by: workers) == own)
            try [UInt8](try Repository.data(name)).withUnsafeBytes { bytes in
                let setup = RenderSetup(styles: [Style(size: 48)], limits: Limits())
                let avatar = RenderRequest.Avatar(index: 0, keyword: "k", text: "v")
                _ = try workers.draw([avatar], with: setup, of: .bytes(bytes), crop: nil, within: nil) { png, _ in
                    #expect(png.starts(with: [0x89, 0x50]))
                }
            }
        }
        #expect(workers.counters.started == 1)
    }

    @Test func `A photo that cannot be drawn is the error of the worker`() throws {
        let workers = try workers()
        defer { workers.endIdle() }
        #expect(throws: RenderError.self) { try fit(Repository.truncated, by: workers) }
        #expect(workers.counters.crashed == 0)
    }

    @Test func `Bounds come out of the message as they went in, within their limits`() throws {
        let setup = RenderSetup(fit: Self.bounds, limits: Limits())
        #expect(try RenderSetup(setup.bytes) == setup)
        for bounds in [
            StorablePhoto.Bounds(maxSide: 0, maxBytes: 1), .init(maxSide: 1 << 20, maxBytes: 1),
            .init(maxSide: 1, maxBytes: 0),
        ] {
            #expect(throws: WireError.self) { try RenderSetup(RenderSetup(fit: bounds, limits: Limits()).bytes) }
        }
    }
}
