import Foundation
import Glibc
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

@Suite struct FaceModelFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.pathString + "/" + name }

    /// What is found by programs in these folders. A file with the text `bad` is no model.
    private func find(named: String? = nil, _ folders: String...) -> FaceModelFile {
        FaceModelFile(named: named, folders: folders.map(path)) { bytes throws(FaceModelError) in
            if bytes.elementsEqual("bad".utf8) { throw .notAModel }
        }
    }

    @Test func `A file beside the programs comes before the installed one, the first folder before the next`() throws {
        for name in ["a/bin/tondo", "b/bin/tondo"] { try folder.write("", to: name) }
        #expect(find("a/bin", "b/bin") == .missing)
        try folder.write("model", to: "b/share/tondo/face.model")
        #expect(find("a/bin", "b/bin") == .installed(path("b/share/tondo/face.model")))
        try folder.write("model", to: "a/share/tondo/face.model")
        #expect(find("a/bin", "b/bin") == .installed(path("a/share/tondo/face.model")))
        try folder.write("model", to: "a/bin/face.model")
        #expect(find("a/bin", "b/bin") == .installed(path("a/bin/face.model")))
    }

    @Test func `The installed file is found from a folder that is a link`() throws {
        try folder.write("model", to: "usr/share/tondo/face.model")
        try folder.makeFolder("usr/bin")
        try folder.link("bin", to: "usr/bin")
        #expect(find("bin") == .installed(path("usr/share/tondo/face.model")))
    }

    @Test func `The variable names the file, or none`() throws {
        try folder.write("model", to: "bin/face.model")
        let other = try folder.write("model", to: "other")
        #expect(find(named: other, "bin") == .installed(other))
        #expect(find(named: "", "bin") == .off)
        #expect(find(named: path("none"), "bin") == .damaged(path("none"), reason: "No such file or directory"))
    }

    @Test func `A damaged file is named, and not passed over`() throws {
        try folder.write("bad", to: "a/face.model")
        try folder.write("model", to: "b/face.model")
        let found = find("a", "b")
        #expect(found == .damaged(path("a/face.model"), reason: "not a face model"))
        #expect(found.path == nil && found.state == .damaged)
        #expect(found.problem?.hasPrefix(path("a/face.model") + ": not a face model (") == true)
    }

    @Test func `Whatever is no file of the size of a model is not read`() throws {
        let pipe = path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for name in [pipe, folder.pathString] {
            #expect(find(named: name) == .damaged(name, reason: "not a regular file"))
        }
        let (empty, long) = (try folder.write("", to: "empty"), try folder.write("", to: "long"))
        #expect(truncate(long, 1 << 40) == 0)
        for name in [empty, long] { #expect(find(named: name) == .damaged(name, reason: "not a face model")) }
    }

    @Test func `Only a model passes`() throws {
        let text = try folder.write("not a model, but long enough for its beginning", to: "face.model")
        #expect(FaceModelFile(named: text, folders: []) == .damaged(text, reason: "not a face model"))
    }

    @Test func `What is there, or is missing on purpose, is no problem`() {
        #expect(FaceModelFile.installed("x").problem == nil && FaceModelFile.off.problem == nil)
        #expect(FaceModelFile.missing.problem?.contains("TONDO_FACE_MODEL") == true)
        #expect(FaceModelFile.off.state.problem == nil && FaceModelFile.missing.state.problem != nil)
    }
}

/// Workers that are to find faces.
@Suite(.blocking) struct FaceModelWorkerTests {
    /// `assets/make_face_model` makes it for the tests.
    private static let model = Repository.path(".build/face.model")

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Why no worker of this kind starts with this file.
    private func refusal(_ kind: WorkerKind, _ model: String) throws -> String? {
        let workers = try Workers("tondo-render") { $0.faceModel = model }
        do {
            try workers.workers.prepare(kind)
            return nil
        } catch WorkerFailure.unavailable(let reason) { return reason }
    }

    @Test(arguments: [WorkerKind.standard, .heif])
    func `A worker that cannot use its model refuses to start, and says why`(_ kind: WorkerKind) throws {
        let text = try folder.write("not a model, but long enough for its beginning", to: "face.model")
        for (path, reason) in [(text, "not a face model"), (text + "s", "No such file or directory")] {
            let program = try BuiltProgram.path(kind.program)
            #expect(try refusal(kind, path) == "\(program) refused to start: face model: \(reason)")
        }
    }

    @Test func `A refused photo is not blamed`() throws {
        let workers = try Workers("tondo-render") { $0.faceModel = "/no/such/model" }
        let drawing = workers.draw([UInt8](try Repository.data(Repository.small)))
        guard case .noDecoder(let reason) = drawing.error?.error else {
            Issue.record("a photo was drawn without the model")
            return
        }
        #expect(reason.hasSuffix("face model: No such file or directory"))
        #expect(workers.counts == .init())
    }

    @Test func `A worker of initials gets no model`() throws { #expect(try refusal(.text, "/no/such/model") == nil) }

    @Test(.enabled(if: access(model, R_OK) == 0, "assets/make_face_model makes the model"))
    func `A worker with the model draws`() throws {
        let workers = try Workers("tondo-render") { $0.faceModel = Self.model }
        #expect(workers.draw([UInt8](try Repository.data(Repository.small))).error == nil)
    }
}
