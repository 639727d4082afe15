import Testing
import TondoCache
import TondoContacts
import TondoDigest
import TondoImage

@testable import TondoAvatars

@Suite struct KnownPhotosTests {
    private var state = AvatarLoaderState(
        width: 1, ledger: AvatarLedger(styles: 1, tracksChanges: true), keepsPhotos: true)

    private func avatars(_ shade: UInt8) throws -> [Avatar] {
        let file = PhotoFile(copying: SmallBook.image(shade))
        let photo = KnownPhoto(
            digest: SHA256Digest(file), geometry: try PhotoGeometry(probing: file.bytes), crop: nil)
        return [
            Avatar(
                style: Style(size: 16), key: CacheKey(recipe: "\(shade)"), source: .rendered, isStored: true, bytes: [],
                milliseconds: 0, photo: photo)
        ]
    }

    private mutating func add(_ id: String) throws -> AvatarBacklog.PendingContact {
        _ = state.add(Contact(id: id))
        return try #require(state.next()?.0)
    }

    @Test mutating func `A photo is known from its report until the contact comes again or goes`() throws {
        let first = try add("ada")
        #expect(state.known.isEmpty)
        _ = state.report(try avatars(1), of: first)
        #expect(try state.known["ada"]?.digest == avatars(1)[0].photo?.digest)
        let second = try add("ada")
        #expect(state.known.isEmpty)
        _ = state.report(try avatars(2), of: second)
        #expect(try state.known["ada"]?.digest == avatars(2)[0].photo?.digest)
        _ = state.forget("ada")
        #expect(state.known.isEmpty)
    }

    @Test mutating func `An earlier photo that is reported late, and one that failed, are not known`() throws {
        let (old, new) = (try add("ada"), try add("ada"))
        _ = state.report(try avatars(1), of: old)
        #expect(state.known.isEmpty)
        _ = state.report(try avatars(2), of: new)
        let failed = try add("ada")
        var initials = try avatars(3)
        initials[0].photo = nil
        _ = state.report(initials, of: failed)
        #expect(state.known.isEmpty)
    }
}
