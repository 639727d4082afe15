// Made by `Tests/Checks/examples --write` from the doc comments of the sources. They are compiled, not run.
import Dispatch
import SystemPackage
import TondoAvatars
import TondoCache
import TondoContacts
import TondoDigest
import TondoEndpoints
import TondoFiles
import TondoImage
import TondoJobs
import TondoText

/// What examples may name without making it.
struct Example {
    let loader: ContactLoader
    let cache: AvatarCache
    let path: FilePath
    let bytes: [UInt8]
}

extension Example {
    // Sources/Avatars/TondoAvatars/Load/AvatarStyle.swift
    func example1() async throws {
        let list = AvatarStyle(size: 48)
        let header = AvatarStyle(size: 128, scale: 2)
        print(list.name, header.size * header.scale)
    }

    // Sources/Avatars/TondoAvatars/Load/ContactLoader.swift
    func example2() async throws {
        var options = ContactLoader.Options()
        options.styles = [AvatarStyle(size: 48, scale: 2)]
        let loader = try ContactLoader(book: "contacts", options)
        for try await event in loader.events() {
            if case .avatar(let avatar) = event { print(avatar.contact, avatar.url ?? "") }
        }
    }

    // Sources/Avatars/TondoAvatars/Load/ContactLoader.swift
    func example3() async throws {
        var options = ContactLoader.Options()
        options.cacheFolder = "avatars"
        options.isWatching = true
        options.decoder = "/usr/libexec/tondo/tondo-render"
        print(options.styles.count)
    }

    // Sources/Avatars/TondoAvatars/Load/ContactLoader.swift
    func example4() async throws {
        do {
            let loader = try ContactLoader(book: "friends.json")
            loader.show(["ada"])
        } catch {
            print("\(error.code): \(error.message)")
        }
    }

    // Sources/Avatars/TondoAvatars/Load/ContactLoader.swift
    func example5() async throws {
        for try await event in loader.events() {
            if case .finished(let summary) = event { print("\(summary.avatars) avatars") }
        }
    }

    // Sources/Avatars/TondoAvatars/Load/ContactLoader.swift
    func example6() async throws {
        final class Counter: ContactLoaderDelegate {
            func loader(_ loader: ContactLoader, didLoadTotal total: Int) { print("\(total) contacts") }
            func loader(_ loader: ContactLoader, didLoad contact: Contact, at index: Int) {}
            func loader(_ loader: ContactLoader, didPrepare avatar: PreparedAvatar) {}
            func loader(_ loader: ContactLoader, didFail avatar: FailedAvatar) {}
            func loader(_ loader: ContactLoader, didFinish summary: LoadSummary) {}
        }
        let counter = Counter()
        loader.load(on: DispatchQueue(label: "avatars"), delegate: counter)
    }

    // Sources/Avatars/TondoAvatars/Load/ContactLoader.swift
    func example7() async throws {
        let visible = ["ada", "bo", "cleo"]
        loader.show(visible)
    }

    // Sources/Avatars/TondoAvatars/Load/LoaderEvent.swift
    func example8() async throws {
        for try await event in loader.events() {
            switch event {
            case .total(let count): print("\(count) contacts")
            case .contact(_, let contact): print(contact.displayName)
            case .avatar(let avatar): print("avatar of \(avatar.contact)")
            case .avatarFailed(let failure): print("no photo of \(failure.contact): \(failure.message)")
            case .finished(let summary): print("\(summary.avatars) avatars")
            default: break
            }
        }
    }

    // Sources/Avatars/TondoAvatars/Load/LoaderEvent.swift
    func example9() async throws {
        for try await case .avatar(let avatar) in loader.events() where avatar.kind == .photo {
            print(avatar.contact, avatar.scale, avatar.url ?? "not stored")
        }
    }

    // Sources/Avatars/TondoAvatars/Load/LoaderEvent.swift
    func example10() async throws {
        for try await case .contactFailed(let failure) in loader.events() {
            print("\(failure.file):\(failure.line ?? 0): \(failure.message)")
        }
    }

    // Sources/Avatars/TondoAvatars/Load/LoaderEvent.swift
    func example11() async throws {
        do {
            for try await event in loader.events() { print(event) }
        } catch {
            print("\(error.code): \(error.message)")
        }
    }

    // Sources/Avatars/TondoAvatars/Load/LoaderEvents.swift
    func example12() async throws {
        var contacts: [Contact] = []
        for try await event in loader.events() {
            if case .contact(_, let contact) = event { contacts.append(contact) }
            // Leaving the loop cancels the load.
            if contacts.count == 20 { break }
        }
    }

    // Sources/Avatars/TondoCache/AvatarCache.swift
    func example13() async throws {
        if let hit = cache.lookup(CacheKey(recipe: "photo=sha256:00")), let avatar = try cache.read(hit) {
            print(avatar)
        }
    }

    // Sources/Avatars/TondoCache/AvatarCache.swift
    func example14() async throws {
        print(try cache.statistics())
    }

    // Sources/Base/TondoDigest/MD5.swift
    func example15() async throws {
        print(Hex.text(MD5.digest(of: Array("ada@example.org".utf8))))
    }

    // Sources/Base/TondoDigest/SHA256.swift
    func example16() async throws {
        var hash = SHA256()
        hash.update("Ada".utf8)
        print(hash.finish().hexadecimal)
    }

    // Sources/Base/TondoDigest/SHA256Digest.swift
    func example17() async throws {
        print(SHA256Digest(of: "ada@example.org".utf8).hexadecimal)
    }

    // Sources/Base/TondoFiles/AtomicFile.swift
    func example18() async throws {
        try AtomicFile.write(Array("{}".utf8), to: path.appending("state.json"))
    }

    // Sources/Base/TondoFiles/FileIdentity.swift
    func example19() async throws {
        if let status = FileStatus(path), status.kind == .regular { print(status.size) }
    }

    // Sources/Base/TondoFiles/Folder.swift
    func example20() async throws {
        try Folder.make(path.appending("tondo/avatars"), mode: 0o700)
    }

    // Sources/Base/TondoFiles/FolderListing.swift
    func example21() async throws {
        let listing = FolderListing(path, recursive: true)
        for failure in listing.failures { print(failure) }
    }

    // Sources/Base/TondoFiles/Watch/FolderWatcher.swift
    func example22() async throws {
        let watcher = try FolderWatcher("contacts") { event in print(event) }
        watcher.close()
    }

    // Sources/Base/TondoJobs/JobQueue.swift
    func example23() async throws {
        let queue = JobQueue<String, Int>()
        let request = JobQueue<String, Int>.Request(key: "ada") { _ in 6 * 7 }
        let subscription = try queue.submit(request) { result in print(result) }
        subscription.raise(to: .visible)
    }

    // Sources/Base/TondoText/ByteAmount.swift
    func example24() async throws {
        print(ByteAmount.bytes("1.5 GiB") ?? 0)
        print(ByteAmount.text(1_234_567))
    }

    // Sources/Base/TondoText/Hex.swift
    func example25() async throws {
        print(Hex.text([0xCA, 0xFE]))
        print(Hex.bytes("cafe".utf8) ?? [])
    }

    // Sources/Base/TondoText/JSON/JSONObject.swift
    func example26() async throws {
        var object = JSONObject()
        object.add("name", "Ada")
        object.add("avatars", 2)
        print(String(decoding: object.bytes, as: UTF8.self))
    }

    // Sources/Base/TondoText/PercentEncoding.swift
    func example27() async throws {
        print(PercentEncoding.encode("a/b c", as: .pathSegment))
        print(PercentEncoding.decode("a%2Fb%20c"))
    }

    // Sources/Contacts/TondoContacts/BookFormat+Recognise.swift
    func example28() async throws {
        switch BookFormat.recognise(bytes) {
        case .book(let format): print(format.word)
        case .other(let kind): print("no book, but \(kind)")
        }
    }

    // Sources/Contacts/TondoContacts/Contact.swift
    func example29() async throws {
        var ada = Contact(id: "ada")
        ada.name.given = "Ada"
        ada.name.family = "Lovelace"
        ada.emails = [ContactPoint("ada@example.org", types: ["home"])]
        print(ada.displayName)
    }

    // Sources/Contacts/TondoContacts/Contact.swift
    func example30() async throws {
        var name = ContactName()
        name.prefix = "Dr."
        name.given = "Ada"
        name.family = "Lovelace"
        print(name.formatted.isEmpty)
    }

    // Sources/Contacts/TondoContacts/Contact.swift
    func example31() async throws {
        let phone = ContactPoint("+1 555 0100", types: ["cell"], label: "Summer house")
        print(phone.value, phone.types.contains("cell"))
    }

    // Sources/Contacts/TondoContacts/Contact.swift
    func example32() async throws {
        var ada = Contact(id: "ada")
        ada.messengers[.signal] = "+15550100"
        print(Messenger.allCases.filter { ada.messengers[$0] != nil })
    }

    // Sources/Contacts/TondoContacts/Contact.swift
    func example33() async throws {
        var ada = Contact(id: "ada")
        ada.groups = [ContactGroup("Friends"), ContactGroup("Chess", id: "g-7", online: 3)]
        print(ada.groups.map(\.name))
    }

    // Sources/Contacts/TondoContacts/Initials/InitialsRule.swift
    func example34() async throws {
        var options = ContactLoader.Options()
        options.initials = .nextcloud
        print(InitialsRule.allCases.map(\.rawValue), options.initials)
    }

    // Sources/Contacts/TondoContacts/Initials/InitialsRule.swift
    func example35() async throws {
        var ada = Contact(id: "ada")
        ada.name.formatted = "Ada Lovelace"
        print(ada.initials(by: .tondo) ?? "silhouette")
    }

    // Sources/Image/TondoImage/Draw/RGBA.swift
    func example36() async throws {
        if let blue = RGBA("#3366ff") { print(blue.red, blue.alpha) }
    }

    // Sources/Image/TondoImage/Encode/PNGEncoder.swift
    func example37() async throws {
        let pixels: [UInt8] = [255, 0, 0, 255, 0, 0, 255, 128]
        let png = PNGEncoder.encode(pixels: pixels, width: 2, height: 1)
        print(png.count)
    }

    // Sources/Server/TondoEndpoints/HostName.swift
    func example38() async throws {
        print(HostName.name("Avatars.Example.org:8080") ?? "none")
    }

    // Sources/Server/TondoEndpoints/ListenAddress.swift
    func example39() async throws {
        let addresses = ["127.0.0.1:7380", "[::1]:7380", ":8080"].compactMap { ListenAddress(tcp: $0) }
        print(addresses.map(\.description))
    }

    // Sources/Server/TondoEndpoints/ServiceArea.swift
    func example40() async throws {
        print(ServiceArea(path: "/v1/contacts/ada/avatar")?.rawValue ?? "not to be opened")
    }
}
