import SystemPackage
import Testing
import TondoContacts
import TondoImage

@testable import TondoAvatars

@Suite struct ShownPhotoTests {
    private let photos = BookPhotos(folder: "/book")
    /// Every initials are this photo.
    private let letters = PhotoSource.bytes(PhotoFile(copying: [1, 2, 3]))
    private var drawable: InitialsPhotos { InitialsPhotos(rule: .tondo) { [letters] _, _ in letters } }

    private func contact(_ name: String, hasPhoto: Bool) -> Contact {
        var contact = Contact(id: "id")
        contact.name.formatted = name
        if hasPhoto { contact.photo = .file(path: "ada.jpg", crop: nil) }
        return contact
    }

    /// What is shown first, and then after each failure.
    private func kinds(_ contact: Contact, _ initials: InitialsPhotos) -> [PreparedAvatar.Kind] {
        let first = ShownPhoto(of: contact, in: photos, else: initials)
        return sequence(first: first) { $0.next(initials) }.map(\.kind)
    }

    @Test func `The photo comes first, then the initials, then the silhouette`() {
        #expect(kinds(contact("Ada", hasPhoto: true), drawable) == [.photo, .initials, .silhouette])
        #expect(kinds(contact("Ada", hasPhoto: false), drawable) == [.initials, .silhouette])
    }

    @Test func `A contact without letters, or whose letters nothing draws, shows the silhouette next`() {
        #expect(kinds(contact("", hasPhoto: true), drawable) == [.photo, .silhouette])
        #expect(kinds(contact("Ada", hasPhoto: true), .none) == [.photo, .silhouette])
        #expect(kinds(contact("", hasPhoto: false), drawable) == [.silhouette])
    }

    @Test func `Before the book is read, a contact shows its initials`() {
        let shown = ShownPhoto(of: contact("Ada", hasPhoto: true), in: nil, else: drawable)
        #expect(shown.kind == .initials)
    }

    @Test func `The contact owns the avatars of its photo and initials, and no contact owns the silhouette`() {
        let first = ShownPhoto(of: contact("Ada", hasPhoto: true), in: photos, else: drawable)
        #expect(sequence(first: first) { $0.next(drawable) }.map(\.owner) == ["id", "id", nil])
    }

    @Test func `Nothing replaces a photo file or the initials of a name`() {
        #expect(ShownPhoto(photo: .standardInput, owner: nil).next(drawable) == nil)
        let name = ShownPhoto(name: "Ada", drawnBy: drawable)
        #expect(name?.kind == .initials && name?.next(drawable) == nil)
        #expect(ShownPhoto(name: "Ada", drawnBy: .none) == nil)
    }
}
