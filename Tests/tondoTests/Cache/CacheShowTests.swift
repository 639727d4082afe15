import Foundation
import SystemPackage
import Testing
import TondoAvatars
import TondoCache
import TondoImage
import TondoTestSupport

@testable import tondo

@Suite struct CacheShowTests {
    private let cache: FilledCache
    private let key: String

    init() throws {
        cache = try FilledCache()
        key = try cache.keys()[0]
    }

    @Test func `All details of an entry are shown`() throws {
        let outcome = try cache.run("show", key)
        #expect(outcome.status == 0)
        #expect(outcome.value("Key") == key)
        #expect(outcome.value("File") == cache.file(key))
        #expect(outcome.value("Photo")?.hasPrefix("sha256:") == true)
        #expect(outcome.value("Contacts") == "ada")
        #expect(outcome.value("Pixels") == "16 x 16")
        #expect(outcome.value("Style") == "plain")
        #expect(outcome.value("Crop") == "the centre")
        #expect(outcome.value("Checksum") == "holds")
        for name in ["Recipe", "Bytes", "Cost", "Created", "Last used"] {
            #expect(outcome.value(name) != nil, "\(name)")
        }
    }

    @Test func `An entry is named by key, by its beginning, by its file and by a written picture`() throws {
        let words = [key, String(key.prefix(4)), key.uppercased(), "./" + cache.file(key), "avatars/ada.png"]
        for word in words { #expect(try cache.run("show", word).value("Key") == key, "\(word)") }
    }

    @Test(arguments: [
        ("abc", "neither a file nor a key (64 hexadecimal digits, or the first four)"),
        ("nothing.png", "neither a file nor a key (64 hexadecimal digits, or the first four)"),
        ("ada.jpg", "neither an entry nor an avatar that tondo drew"), ("avatars", "a folder, not an entry"),
        (String(repeating: "0", count: 64), "no such entry"),
    ])
    func `What is no entry is refused with its reason`(_ word: String, _ reason: String) throws {
        let outcome = try cache.run("show", word)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error == "tondo: \(word): \(reason)\n")
    }

    @Test func `A damaged entry is reported and left as it is`() throws {
        try cache.damage(key)
        let outcome = try cache.run("show", key)
        #expect(outcome.status == 1)
        #expect(
            outcome.value("Checksum")
                == "invalid: the checksum differs; the next request removes the entry and draws it again")
        #expect(cache.folder.exists(cache.file(key)))
    }

    @Test func `An entry without its file is reported`() throws {
        try cache.remove(cache.file(key))
        let outcome = try cache.run("show", key)
        #expect(outcome.status == 1)
        #expect(outcome.value("Checksum") == "none: the file is missing; the next request draws it again")
    }

    @Test func `A removed entry is reported with time and reason`() throws {
        _ = try cache.run("clear", "--yes")
        for word in [key, cache.file(key)] {
            let outcome = try cache.run("show", word)
            #expect(outcome.status == 1)
            #expect(outcome.error.hasPrefix("tondo: \(word): no such entry; it was removed on "))
            #expect(outcome.error.hasSuffix(" on request\n"))
        }
    }

    @Test func `A file that is not in the index is reported`() throws {
        let file = try cache.folder.data(cache.file(key))
        _ = try cache.run("clear", "--yes")
        try cache.folder.write(file, to: cache.file(key))
        let outcome = try cache.run("show", key)
        #expect(outcome.status == 1)
        #expect(
            outcome.error.contains("its file exists, but is not in the index; 'tondo cache verify --repair' adds it"))
    }

    @Test func `JSON contains the entry and whether it is intact`() throws {
        let whole = try #require(try cache.run("show", key, "--json").reports(EntryReport.self).first)
        #expect(whole.key == key && whole.file?.hasSuffix(cache.file(key)) == true && whole.damage == nil)
        try cache.damage(key)
        let damaged = try #require(try cache.run("show", key, "--json").reports(EntryReport.self).first)
        #expect(damaged.key == key && damaged.damage == "the checksum differs")
    }

    @Test func `The part of the photo is shown as the file has it`() throws {
        let square = PixelRectangle(x: 1, y: 2, width: 30, height: 30)
        let record = CropRecord(square: square, reason: .none, photo: (40, 50), faces: [])
        let recipe = "photo=sha256:\(String(repeating: "0", count: 64)) crop=face/2 side=1"
        let avatar = try AvatarFormat.png.encode(
            Canvas(side: 1, bytes: [0, 0, 0, 0]),
            texts: [(AvatarRecipe.keyword, recipe), (CropRecord.keyword, record.text)])
        let store = try AvatarCache(FilePath(cache.folder.pathString + "/cache"))
        try store.store(avatar, key: CacheKey(recipe: recipe), cost: 1)
        store.close()
        let key = CacheKey(recipe: recipe).hexadecimal
        #expect(try cache.run("show", key).value("Crop") == "no face: centre; square 1,2 30x30 of 40x50")
        let json = try #require(try cache.run("show", key, "--json").json().first)
        let crop = try #require(json["crop"] as? [String: Any])
        #expect(crop["by"] as? String == "none" && crop["side"] as? Int == 30)
        #expect(json["key"] as? String == key)
    }

    @Test func `A look is no use`() throws {
        let before = try cache.run("ls", "--json").output
        _ = try cache.run("show", key)
        #expect(try cache.run("ls", "--json").output == before)
    }

    @Test func `A preview in a pipe is not drawn`() throws {
        let outcome = try cache.run("show", key, "--preview")
        #expect(outcome.status == 0)
        #expect(outcome.error == "tondo: no preview: standard output is not a terminal\n")
    }

    @Test func `A preview on a terminal that shows pictures is drawn and is no use`() throws {
        let before = try cache.run("ls", "--json").output
        let outcome = try cache.run(
            [],
            shell: #"TERM=xterm-kitty exec script -qec "'$1' cache show avatars/ada.png --preview --cache-dir cache" x"#
        )
        #expect(outcome.text.contains("\u{1B}_G"))
        #expect(try cache.run("ls", "--json").output == before)
    }
}
