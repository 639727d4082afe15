internal import CBus
internal import Glibc
internal import TondoDigest

/// An address book of Evolution, GNOME Contacts and others, which Evolution Data Server keeps: read by its interface on the
/// session bus, whatever its place is. Contact lists are left out.
package struct EvolutionBook: DesktopBook {
    /// The name of the book's source, such as `system-address-book`.
    private let uid: String
    private let photos: LocalPhotos

    /// The longest wait for each reply; opening a book may start two programs.
    private static let seconds = 30

    /// `uid`: of the book's source. `photos`: counts those that cannot be read.
    package init(uid: String, photos: LocalPhotos) {
        self.uid = uid
        self.photos = photos
    }

    /// Blocks. Throws a `DesktopError`, or `SyncError.cancelled`.
    package func read(_ take: (DesktopCard) throws -> Void) throws {
        var reason = [CChar](repeating: 0, count: Int(CBUS_REASON))
        let (code, failure) = withoutActuallyEscaping(take) { take in
            let receiver = Receiver { try card($0).map(take) }
            let code = uid.withCString { uid in
                var book = cbus_book(
                    book: uid, seconds: Int32(Self.seconds),
                    found: { Unmanaged<Receiver>.fromOpaque($0!).takeUnretainedValue().take($1!, size: $2) },
                    is_cancelled: { _ in Interrupt.isRequested ? 1 : 0 },
                    context: Unmanaged.passUnretained(receiver).toOpaque())
                return withExtendedLifetime(receiver) { cbus_read_book(&book, &reason) }
            }
            return (code, receiver.failure)
        }
        if let failure { throw failure }
        let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        switch code {
        case 0: return
        case ECANCELED: throw SyncError.cancelled
        case ENOTCONN: throw DesktopError.noBus(text)
        case ESRCH: throw DesktopError.noServer
        case ESTALE: throw DesktopError.changing
        case ETIMEDOUT: throw DesktopError.timeout(seconds: Self.seconds)
        default: throw DesktopError.refused(text)
        }
    }

    /// Nil: a contact list.
    private func card(_ bytes: [UInt8]) -> DesktopCard? {
        if VCardText.value(of: "x-evolution-list", in: bytes)?.lowercased() == "true" { return nil }
        let id = VCardText.uid(bytes) ?? String(SHA256Digest(of: bytes).hexadecimal.prefix(32))
        var card = DesktopCard(id: id)
        card.versions = [{ photos.inlined(bytes) }]
        return card
    }
}

/// Gets the contacts out of C, which no error passes.
private final class Receiver {
    private let take: ([UInt8]) throws -> Void
    private(set) var failure: (any Error)?

    init(take: @escaping ([UInt8]) throws -> Void) { self.take = take }

    func take(_ card: UnsafePointer<CChar>, size: Int) -> Int32 {
        do {
            try take(Array(UnsafeRawBufferPointer(start: card, count: size)))
            return 0
        } catch {
            failure = error
            return 1
        }
    }
}
