import Foundation
import NIOCore
import Synchronization
import SystemPackage
import Testing
import TondoAvatars
import TondoCache
import TondoImage
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct AddressBookServiceTests {
    private let folder: TemporaryFolder
    private let addressBooks: AddressBookService

    init() throws {
        folder = try TemporaryFolder()
        for (book, id) in [("one", "ada"), ("one", "bo"), ("two", "ada")] {
            try folder.write("BEGIN:VCARD\nUID:\(id)\nFN:\(id)\nEND:VCARD\n", to: "\(book)-\(id).vcf")
        }
        let cache = try AvatarCache(FilePath(folder.pathString + "/cache"))
        addressBooks = AddressBookService(
            AvatarPipeline(cache: cache, .patient), broadcaster: EventBroadcaster(capacity: 1000))
    }

    /// The names of the events up to the end.
    private func events(serving names: String...) async -> [String] {
        let subscriber = addressBooks.broadcaster.subscribe(after: 0)
        addressBooks.serve(names.map { FilePath(folder.pathString + "/" + $0) }, styles: [AvatarStyle(size: 16)])
        var text = ""
        while !text.contains("event: finished\n"), let batch = await subscriber.next() {
            if case .events(let bytes) = batch { text += String(decoding: bytes.readableBytesView, as: UTF8.self) }
        }
        addressBooks.stop()
        return text.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    @Test func `An avatar that is drawn again, or fails first, is counted once`() async throws {
        try await RunningService.run(styles: [AvatarStyle(size: 16)]) { service in
            let counts = { service.addressBooks.progress.map { [$0.people, $0.avatars, $0.failed] } }
            #expect(counts() == [[3, 3, 1]])
            try await service.replace("ada", with: Card.card("ada", photo: Card.inline(99))) {
                $0.contains("event: avatar\n")
            }
            #expect(counts() == [[3, 3, 1]])
            try await service.replace("eve", with: Card.card("eve", photo: Card.inline(98))) {
                $0.contains("event: avatar\n")
            }
            #expect(counts() == [[3, 3, 0]])
            try await service.replace("eve", with: Card.card("eve", photo: ";ENCODING=b;TYPE=PNG:AAAA")) {
                $0.contains("event: avatar\n")
            }
            #expect(counts() == [[3, 3, 1]])
            try await service.remove("eve")
            #expect(counts() == [[2, 2, 0]])
        }
    }

    @Test func `Several books publish one total, first of all, and one end`() async {
        let events = await events(serving: "one-ada.vcf", "one-bo.vcf", "two-ada.vcf")
        #expect(events.first == "total" && events.last == "finished")
        #expect(
            events.sorted() == ["avatar", "avatar", "avatar", "contact", "contact", "contact", "finished", "total"])
    }

    @Test func `An unreadable book does not keep the others from being published`() async {
        let events = await events(serving: "nobody.vcf", "one-bo.vcf")
        #expect(events == ["total", "contact", "avatar", "finished"])
        #expect(addressBooks.progress.map(\.problem) == ["book-unreadable", nil])
    }

    @Test func `A book that comes late is served as soon as it is there`() async throws {
        let addressBooks = AddressBookService(
            AvatarPipeline(cache: nil), broadcaster: EventBroadcaster(capacity: 1000), firstRetry: 0.001)
        let subscriber = addressBooks.broadcaster.subscribe(after: 0)
        addressBooks.serve([FilePath(folder.pathString + "/late.vcf")], styles: [AvatarStyle(size: 16)])
        var text = ""
        while !text.contains("event: avatar\n"), case .events(let bytes) = await subscriber.next() {
            text += String(buffer: bytes)
            guard text.contains("event: finished\n"), !text.contains("event: contactChanged\n") else { continue }
            try folder.write("BEGIN:VCARD\nUID:cy\nFN:cy\nEND:VCARD\n", to: "late.vcf")
        }
        let names = text.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { $0.dropFirst(7) }
        #expect(names == ["total", "finished", "contactChanged", "avatar"])
        #expect(addressBooks.directory.contacts.all.map(\.id) == ["cy"])
        #expect(addressBooks.progress.map(\.problem) == [nil] && addressBooks.progress[0].people == 1)
        addressBooks.stop()
    }

    @Test func `A request waits for the books for ten seconds, for one where others can answer it`() async throws {
        let addressBooks = AddressBookService(
            AvatarPipeline(cache: nil), broadcaster: EventBroadcaster(), longestWait: .milliseconds(10))
        #expect(await addressBooks.waitUntilRead() == false, "No books are read here")
        let waits = [false, true].map { AddressBookService.longestWait(hasOthers: $0) }
        #expect(waits == [.seconds(10), .seconds(1)])
        let service = String(decoding: try Repository.data("docs/service.md"), as: UTF8.self)
        #expect(
            service.contains("ten seconds at most (503 `loading`). With a Redis for events a GET waits for one second"))
        addressBooks.stop()
    }

    @Test func `A book that comes while others are counted is one of them`() async throws {
        let addressBooks = AddressBookService(
            AvatarPipeline(cache: nil), broadcaster: EventBroadcaster(capacity: 1000), firstRetry: 0.001)
        let subscriber = addressBooks.broadcaster.subscribe(after: 0)
        addressBooks.serve(["late.vcf", "one-bo.vcf"].map { FilePath(folder.pathString + "/" + $0) }, styles: [])
        try folder.write("BEGIN:VCARD\nUID:cy\nFN:cy\nEND:VCARD\n", to: "late.vcf")
        var text = ""
        while addressBooks.progress[0].people == 0 || !text.contains("event: finished\n"),
            case .events(let bytes) = await subscriber.next()
        { text += String(buffer: bytes) }
        #expect(text.components(separatedBy: "event: finished\n").count == 2)
        #expect(addressBooks.isCounted)
        addressBooks.stop()
    }

    @Test func `Fewer books may be served while others are still read`() async throws {
        try FileManager.default.createDirectory(atPath: folder.pathString + "/many", withIntermediateDirectories: true)
        for number in 0..<60 {
            try folder.write("BEGIN:VCARD\nUID:\(number)\nFN:x\nEND:VCARD\n", to: "many/\(number).vcf")
        }
        let books = [FilePath(folder.pathString + "/one-ada.vcf"), FilePath(folder.pathString + "/many")]
        for _ in 0..<5 {
            addressBooks.serve(books, styles: [])
            await addressBooks.waitUntilCounted()
            addressBooks.serve([books[0]], styles: [])
        }
        #expect(await addressBooks.waitUntilRead())
        #expect(addressBooks.directory.contacts.all.map(\.id) == ["ada"])
        addressBooks.stop()
    }

    @Test func `Equal ids of several books become unique, and keep to their books`() async {
        _ = await events(serving: "one-ada.vcf", "two-ada.vcf")
        #expect(addressBooks.directory.contacts.all.map(\.id) == ["ada", "2~ada"])
        #expect(addressBooks.place(of: "2~ada")?.id == "ada")
        #expect(addressBooks.place(of: "2~ada")?.book.lastComponent == "two-ada.vcf")
    }

    @Test func `Who is served stays while the books are read again, and goes when gone`() async throws {
        _ = await events(serving: "one-ada.vcf", "one-bo.vcf")
        try folder.write("BEGIN:VCARD\nUID:cy\nFN:cy\nEND:VCARD\n", to: "one-bo.vcf")
        let subscriber = addressBooks.broadcaster.subscribe()
        let books = ["one-ada.vcf", "one-bo.vcf"].map { FilePath(folder.pathString + "/" + $0) }
        addressBooks.serve(books, styles: [AvatarStyle(size: 16)])
        #expect(addressBooks.directory.contact("ada") != nil)
        var text = ""
        while !text.contains("event: finished\n"), case .events(let bytes) = await subscriber.next() {
            text += String(buffer: bytes)
        }
        #expect(addressBooks.directory.contacts.all.map(\.id) == ["ada", "2~cy"])
        addressBooks.stop()
    }

    @Test func `Faces are drawn while the books are read again`() async throws {
        let styles = addressBooks.pipeline.styles([Style(size: 16)])
        let books = [FilePath(folder.pathString + "/one-ada.vcf")]
        addressBooks.serve(books, styles: [])
        #expect(await addressBooks.waitUntilRead())
        for _ in 0..<5 {
            addressBooks.serve(books, styles: [])
            let ada = try #require(addressBooks.directory.contact("ada"))
            let avatars = await withCheckedContinuation { done in
                addressBooks.avatars(of: ada, styles: styles) { done.resume(returning: $0) }
            }
            #expect((try? avatars.get())?.avatars.count == 1)
        }
        addressBooks.stop()
    }

    @Test func `Every contact is there once the books are read, whatever else lies beside them`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.pathString + "/people", withIntermediateDirectories: false)
        for number in 0..<200 {
            try folder.write("", to: "people/\(number)-none.vcf")
            try folder.write("BEGIN:VCARD\nUID:\(number)\nFN:A\nEND:VCARD\n", to: "people/\(number).vcf")
        }
        addressBooks.serve([FilePath(folder.pathString + "/people")], styles: [AvatarStyle(size: 16)])
        #expect(await addressBooks.waitUntilRead())
        #expect(addressBooks.directory.count == 200)
        addressBooks.stop()
    }

    @Test func `A book that is not served any more takes its people along at once`() async throws {
        _ = await events(serving: "one-ada.vcf", "one-bo.vcf")
        let received = addressBooks.broadcaster.subscribe()
        addressBooks.serve([FilePath(folder.pathString + "/one-ada.vcf")], styles: [])
        #expect(addressBooks.directory.contact("2~bo") == nil && addressBooks.directory.contact("ada") != nil)
        guard case .events(let bytes)? = await received.next() else { throw CancellationError() }
        #expect(String(buffer: bytes).hasPrefix("id: "))
        #expect(String(buffer: bytes).contains(#""event":"contactRemoved""#) && String(buffer: bytes).contains("2~bo"))
        addressBooks.stop()
    }

    @Test func `A reload with a missing book reads none of the others again, and lists are served`() async throws {
        let books = ["one-ada.vcf", "nowhere.vcf"].map { FilePath(folder.pathString + "/" + $0) }
        addressBooks.serve(books, styles: [])
        #expect(await addressBooks.waitUntilRead())
        let loader = addressBooks.state.withLock { $0.loaders[0] }
        let (total, revision) = (addressBooks.progress[0].total, addressBooks.directory.revision)
        addressBooks.serve(books, styles: [])
        #expect(addressBooks.state.withLock { $0.loaders[0] } === loader)
        #expect(addressBooks.progress[0].isRead && addressBooks.progress[0].total == total)
        #expect(await addressBooks.waitUntilServed() && addressBooks.directory.contact("ada") != nil)
        await addressBooks.waitUntilCounted()
        #expect(addressBooks.directory.count == 1 && addressBooks.progress[1].problem == "book-unreadable")
        // The contacts of the first book were not even put again.
        #expect(addressBooks.directory.revision <= revision + 2)
        addressBooks.stop()
    }

    @Test func `A book that a reload adds is published like a change, and holds up no list`() async throws {
        let books = ["one-ada.vcf", "one-bo.vcf"].map { FilePath(folder.pathString + "/" + $0) }
        let subscriber = addressBooks.broadcaster.subscribe(after: 0)
        addressBooks.serve([books[0]], styles: [])
        var text = ""
        func receive(until word: String) async {
            while !text.contains(word), case .events(let bytes) = await subscriber.next() {
                text += String(buffer: bytes)
            }
        }
        await receive(until: "event: finished\n")
        addressBooks.serve(books, styles: [])
        #expect(await addressBooks.waitUntilServed())
        await receive(until: #""id":"2~bo""#)
        #expect(text.components(separatedBy: "event: total\n").count == 2)
        #expect(text.components(separatedBy: "event: contact\n").count == 2)
        #expect(text.components(separatedBy: "event: contactChanged\n").count == 2)
        #expect(await addressBooks.waitUntilRead())
        #expect(addressBooks.directory.contacts.all.map(\.id) == ["ada", "2~bo"])
        addressBooks.stop()
    }

    @Test func `Lists are served while the books are read again in other styles`() async throws {
        let books = [FilePath(folder.pathString + "/one-ada.vcf")]
        addressBooks.serve(books, styles: [])
        #expect(await addressBooks.waitUntilRead())
        addressBooks.serve(books, styles: [AvatarStyle(size: 16)])
        #expect(addressBooks.state.withLock { $0.isThere(.served) })
        #expect(addressBooks.directory.contact("ada") != nil)
        addressBooks.stop()
    }
}
