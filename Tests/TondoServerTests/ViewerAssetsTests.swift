import Foundation
import NIOCore
import Testing
import TondoTestSupport

@testable import TondoServer

@Suite struct ViewerAssetsTests {
    private func assets(_ files: [String: String]) -> ViewerAssets {
        ViewerAssets(files: files.map { ViewerAssets.File(name: $0.key, bytes: Array($0.value.utf8)) })
    }

    private func body(_ response: EncodedResponse?) -> String? { response?.body.map { String(buffer: $0) } }

    @Test func `The page knows where its files are`() {
        let assets = assets(["index.html": "<a href={{base}}/a.js><b href={{base}}/b.css>", "a.js": "1", "b.css": "2"])
        #expect(body(assets.page) == "<a href=/viewer/\(assets.hash)/a.js><b href=/viewer/\(assets.hash)/b.css>")
        #expect(body(assets.response(hash: assets.hash, name: "a.js")) == "1")
        #expect(assets.hash.count == 16 && assets.hash.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    }

    @Test func `Every change of a file is another hash, and the order of the files is none`() {
        let files = ["index.html": "i", "a.js": "1", "b.css": "2"]
        var hashes = [assets(files).hash]
        for (name, text) in ["index.html": "j", "a.js": "3", "c.js": ""] {
            hashes.append(assets(files.merging([name: text]) { $1 }).hash)
        }
        #expect(Set(hashes).count == 4)
        let sorted = files.sorted { $0.key < $1.key }.map {
            ViewerAssets.File(name: $0.key, bytes: Array($0.value.utf8))
        }
        #expect(
            ViewerAssets(files: sorted).hash == hashes[0] && ViewerAssets(files: sorted.reversed()).hash == hashes[0])
    }

    @Test func `Other names, other versions and unknown types are no files`() {
        let assets = assets(["index.html": "i", "a.js": "1", "b.exe": "2"])
        for (hash, name) in [
            (assets.hash, "index.html"), (assets.hash, "b.exe"), (assets.hash, "A.js"), (assets.hash, ""),
            ("0123456789abcdef", "a.js"), ("", "a.js"),
        ] {
            #expect(assets.response(hash: hash, name: name) == nil)
        }
    }

    @Test func `The worker and the manifest have addresses that stay, and know where the files are`() {
        let files = assets([
            "index.html": "i", "worker.js": "const BASE = '{{base}}';", "manifest.webmanifest": "{{base}}/i.svg",
        ])
        #expect(body(files.response(pinned: "worker.js")) == "const BASE = '/viewer/\(files.hash)';")
        #expect(body(files.response(pinned: "manifest.webmanifest")) == "/viewer/\(files.hash)/i.svg")
        for name in ViewerAssets.pinnedNames { #expect(files.response(hash: files.hash, name: name) == nil) }
        #expect(files.response(pinned: "index.html") == nil && files.response(pinned: "none") == nil)
    }

    @Test func `Pictures are embedded in Base64, texts as they are`() {
        #expect(ViewerAssets.bytes(of: "iVBO\nRw==\n", name: "a.png") == [0x89, 0x50, 0x4E, 0x47])
        #expect(ViewerAssets.bytes(of: "iVBO", name: "a.js") == Array("iVBO".utf8))
    }

    @Test func `The program has all files of the folder as they are`() throws {
        let folder = Repository.path("assets/viewer")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(names) == Set(ViewerFiles.all.map(\.name)))
        for file in ViewerFiles.all {
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(file.name)"))
            #expect(Data(ViewerAssets.bytes(of: file.text, name: file.name)) == bytes, "\(file.name)")
            let served = ViewerAssets.own.response(hash: ViewerAssets.own.hash, name: file.name)
            let isFilled = file.name == "index.html" || ViewerAssets.pinnedNames.contains(file.name)
            #expect(isFilled || served?.body.map { Data($0.readableBytesView) } == bytes)
        }
    }

    @Test func `The viewer sends no request to another host, and its page has no script and no style in it`() throws {
        let page = String(buffer: try #require(ViewerAssets.own.page.body))
        #expect(!page.contains("<style") && !page.contains(" onclick=") && !page.contains(" style="))
        #expect(!page.contains("{{") && page.contains("/viewer/\(ViewerAssets.own.hash)/"))
        for element in page.components(separatedBy: "<script").dropFirst() {
            #expect(element.components(separatedBy: ">")[0].contains("src=") && element.contains("></script>"))
        }
        for file in ViewerFiles.all where !file.name.hasSuffix(".svg") && !file.name.hasSuffix(".png") {
            let text = file.text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
            for word in ["innerHTML", "src=\"http", "url(http", "fetch(\"http", "data:image"] {
                #expect(!text.contains(word), "\(file.name): \(word)")
            }
        }
    }
}
