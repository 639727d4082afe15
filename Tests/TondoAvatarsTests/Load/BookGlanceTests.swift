import Dispatch
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

/// What a change of one file costs, and what it leads to.
@Suite(.timeLimit(.minutes(10))) struct BookGlanceTests {
    /// A followed book, and a client that applies its events.
    private final class Followed: Sendable {
        let book: SmallBook
        let bookWatcher: BookWatcher
        private let queue: EventQueue
        private let reader = DispatchQueue(label: "test")
        private let list: List

        private final class List: Sendable {
            let ids = Mutex<[String]>([])

            func apply(_ event: LoaderEvent) {
                ids.withLock { ids in
                    switch event {
                    case .contactChanged(let index, let contact):
                        ids.removeAll { $0 == contact.id }
                        ids.insert(contact.id, at: min(index, ids.count))
                    case .contactRemoved(let id): ids.removeAll { $0 == id }
                    default: break
                    }
                }
            }
        }

        init(_ book: SmallBook) throws {
            self.book = book
            let address = try AddressBook(book.path)
            var reading = BookReading(BookSnapshot())
            let list = List()
            reading.read(address, try address.scan()) { _, item in
                if case .success(let found) = item { list.ids.withLock { $0.append(found.packed.id) } }
                return true
            }
            queue = EventQueue { if let event = $0?.event { list.apply(event) } }
            self.list = list
            let avatars = AvatarLoader(AvatarPipeline(cache: nil), styles: [], events: queue, isWatching: true)
            bookWatcher = BookWatcher(
                path: book.path, snapshot: try #require(reading.snapshot), avatars: avatars, events: queue)
        }

        func follow(_ files: Set<String>) -> BookWatcher.Outcome {
            reader.sync { bookWatcher.apply(.files(files), permit: BlockingPermit(on: reader)) }
        }

        /// As the events leave them.
        var ids: [String] {
            get async {
                await withCheckedContinuation { done in queue.afterAll { done.resume() } }
                return list.ids.withLock { $0 }
            }
        }

        /// As a new reading finds them.
        var read: [String] {
            get throws {
                try AddressBook(book.path, owners: bookWatcher.owners).contents().contacts.map(\.id)
            }
        }
    }

    private func people(_ names: [String]) throws -> SmallBook {
        let book = try SmallBook()
        for name in names { try book.write(SmallBook.card(name), to: "\(name).vcf") }
        return book
    }

    @Test func `A changed, a new and a removed card cost one file each, and no listing`() async throws {
        let followed = try Followed(people(["ada", "bo", "cy", "dan", "eve"]))
        try followed.book.replace(SmallBook.card("cy", note: "new"), in: "cy.vcf")
        #expect(followed.follow(["cy.vcf"]) == .applied)
        #expect(followed.bookWatcher.work == .init(listings: 0, files: 1))
        try followed.book.write(SmallBook.card("bob"), to: "bob.vcf")
        #expect(followed.follow(["bob.vcf"]) == .applied)
        #expect(followed.bookWatcher.work == .init(listings: 0, files: 2))
        try followed.book.remove("ada.vcf")
        #expect(followed.follow(["ada.vcf"]) == .applied)
        #expect(followed.bookWatcher.work == .init(listings: 0, files: 2))
        #expect(await followed.ids == ["bo", "bob", "cy", "dan", "eve"])
    }

    @Test func `The photos to watch after a change of one card are those of this card, however large the book is`()
        async throws
    {
        let book = try people((10..<60).map { "x\($0)" })
        for name in ["ada", "bo", "cy"] {
            try book.write(
                SmallBook.card(name, photo: ";VALUE=uri:.photos/\(name == "cy" ? "bo" : name).png"), to: "\(name).vcf")
        }
        let followed = try Followed(book)
        func change(_ name: String, _ photo: String?, note: String? = nil) throws -> NamedPhotoFiles.Change? {
            let photo = photo.map { ";VALUE=uri:.photos/\($0).png" }
            try book.replace(SmallBook.card(name, photo: photo, note: note), in: "\(name).vcf")
            #expect(followed.follow(["\(name).vcf"]) == .applied)
            return followed.bookWatcher.takeChangeOfPhotoFiles()
        }
        #expect(followed.bookWatcher.takePhotoFiles() == [".photos/ada.png", ".photos/bo.png"])
        #expect(try change("ada", "new") == .few(new: [".photos/new.png"], gone: [".photos/ada.png"]))
        #expect(try change("ada", "new", note: "another") == nil)
        #expect(try change("x10", nil, note: "another") == nil)
        // Another card still names it.
        #expect(try change("cy", nil) == nil)
        #expect(try change("bo", nil) == .few(new: [], gone: [".photos/bo.png"]))
        #expect(try change("x11", "x11") == .few(new: [".photos/x11.png"], gone: []))
        try book.remove("x11.vcf")
        #expect(followed.follow(["x11.vcf"]) == .applied)
        #expect(followed.bookWatcher.takeChangeOfPhotoFiles() == .few(new: [], gone: [".photos/x11.png"]))
        #expect(followed.follow(["x11.vcf"]) == .applied && followed.bookWatcher.takeChangeOfPhotoFiles() == nil)
        #expect(followed.bookWatcher.work.listings == 0)
        // A listing collects them again.
        #expect(reading(followed) == .all([".photos/new.png"]))
    }

    private func reading(_ followed: Followed) -> NamedPhotoFiles.Change? {
        let reader = DispatchQueue(label: "whole")
        _ = reader.sync { followed.bookWatcher.apply(.everything, permit: BlockingPermit(on: reader)) }
        return followed.bookWatcher.takeChangeOfPhotoFiles()
    }

    @Test func `Only what the watch includes on balance counts as a change`() {
        var files = NamedPhotoFiles(["a", "a", "b"])
        #expect(files.takeAll() == ["a", "b"])
        files.remove("b")
        files.add("b")
        files.add("c")
        files.remove("c")
        files.remove("a")
        files.remove("unknown")
        #expect(files.takeChange() == nil)
        files.remove("a")
        #expect(files.takeChange() == .few(new: [], gone: ["a"]) && files.all == ["b"])
    }

    @Test func `A removal by this program costs no other file`() async throws {
        let followed = try Followed(people(["ada", "bo", "cy"]))
        try followed.book.remove("bo.vcf")
        let reader = DispatchQueue(label: "own")
        let file = followed.book.path.withoutLinks.appending("bo.vcf")
        let outcome = reader.sync {
            followed.bookWatcher.apply(ownChangeOf: file, removed: [:], BlockingPermit(on: reader))
        }
        #expect(outcome == .applied && followed.bookWatcher.work == .init(listings: 0, files: 0))
        #expect(await followed.ids == ["ada", "cy"])
    }

    @Test func `A second name, a link and a folder need a listing`() async throws {
        for change in 0..<3 {
            let followed = try Followed(people(["ada", "bo", "cy"]))
            let (path, new) = (followed.book.path.string, ["zoe.vcf", "zoe.vcf", "sub"][change])
            switch change {
            case 0: #expect(link(path + "/ada.vcf", path + "/zoe.vcf") == 0)
            case 1: #expect(symlink("ada.vcf", path + "/zoe.vcf") == 0)
            default:
                #expect(mkdir(path + "/sub", 0o700) == 0)
                try followed.book.write(SmallBook.card("zoe"), to: "sub/zoe.vcf")
            }
            #expect(followed.follow([new]) == .applied && followed.bookWatcher.work.listings == 1)
            #expect(try await followed.ids == followed.read)
        }
    }

    @Test func `A broken new file waits for its next look, and costs the others nothing`() async throws {
        let followed = try Followed(people(["ada", "bo", "cy"]))
        try followed.book.write("BEGIN:VCARD\r\nUID:z", to: "zoe.vcf")
        #expect(followed.follow(["ada.vcf", "zoe.vcf"]) == .applied)
        try followed.book.write(SmallBook.card("zoe"), to: "zoe.vcf")
        #expect(followed.follow([]) == .applied && followed.follow(["zoe.vcf"]) == .applied)
        #expect(await followed.ids == ["ada", "bo", "cy", "zoe"])
        #expect(followed.bookWatcher.work.listings == 0)
    }

    @Test(arguments: 1...6)
    func `Any changes of files lead to what a new reading finds`(seed: UInt64) async throws {
        var state = seed
        func choice(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let followed = try Followed(people(["0", "1", "2", "3", "4", "5"]))
        let path = followed.book.path.string
        for step in 0..<80 {
            let (name, other) = ("\(choice(9)).vcf", "\(choice(9)).vcf")
            var touched: Set = [name]
            switch choice(9) {
            case 0: unlink("\(path)/\(name)")
            case 1:
                rename("\(path)/\(name)", "\(path)/\(other)")
                touched.insert(other)
            case 2 where seed > 3:
                unlink("\(path)/\(other)")
                link("\(path)/\(name)", "\(path)/\(other)")
                touched.insert(other)
            case 3 where seed > 5:
                unlink("\(path)/\(other)")
                symlink(name, "\(path)/\(other)")
                touched.insert(other)
            case 4:
                let cards = SmallBook.card("\(choice(9))") + SmallBook.card("\(choice(9))", note: "\(choice(2))")
                try followed.book.replace(cards, in: name)
            default: try followed.book.replace(SmallBook.card("\(choice(9))", note: "\(choice(3))"), in: name)
            }
            // A link that leads to itself cannot be read, so that its contacts would stay, see `LostFileTests`.
            for name in (0..<9).map({ "\($0).vcf" }) {
                var status = stat()
                guard stat("\(path)/\(name)", &status) != 0, errno == ELOOP else { continue }
                unlink("\(path)/\(name)")
                touched.insert(name)
            }
            #expect(followed.follow(touched) == .applied)
            #expect(try await followed.ids == followed.read, "seed \(seed), step \(step)")
        }
    }
}
