import SystemPackage
import TondoMirror
import TondoSync
import TondoTestSupport

/// A source and its mirror in a temporary folder.
struct MirrorTrial {
    let folder: TemporaryFolder
    var source: SyncSource

    init(_ url: String) throws {
        folder = try TemporaryFolder()
        source = SyncSource(name: "work", kind: .carddav, url: url)
    }

    var layout: MirrorLayout { MirrorLayout(name: "work", in: folder.path) }

    /// The cards by the names of their files.
    func cards() throws -> [String] {
        try folder.exists("work/cards") ? folder.names(in: "work/cards").filter { $0.hasSuffix(".vcf") } : []
    }

    func text(_ name: String) throws -> String {
        String(decoding: try folder.bytes("work/cards/\(name)"), as: UTF8.self)
    }

    @discardableResult
    func run(allowsDeletion: Bool = false, isManual: Bool = true, isDry: Bool = false, now: Int? = nil)
        -> SourceRun.Result
    {
        var options = SourceRun.Options()
        (options.allowsDeletion, options.isManual, options.isDry) = (allowsDeletion, isManual, isDry)
        let run = SourceRun(source: source, in: folder.path, options: options)
        return now.map { run.run(now: $0) } ?? run.run()
    }
}
