import Foundation
import SystemPackage
import TondoCache
import TondoContacts
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

/// A folder of cards and a cache of its own.
final class SmallBook: Sendable {
    let folder: TemporaryFolder
    let cache: AvatarCache
    var path: FilePath { folder.path.appending("book") }

    init(_ change: (inout AvatarCache.Options) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("book")
        var options = AvatarCache.Options()
        change(&options)
        cache = try AvatarCache(folder.path.appending("cache"), options: options)
    }

    /// `photo`: the value and parameters of a PHOTO line, such as `;ENCODING=b:AAAA`.
    static func card(_ name: String, photo: String? = nil, note: String? = nil) -> String {
        let lines = [
            "BEGIN:VCARD", "VERSION:3.0", "UID:\(name)", "FN:\(name)", note.map { "NOTE:\($0)" },
            photo.map { "PHOTO\($0)" }, "END:VCARD", "",
        ]
        return lines.compactMap { $0 }.joined(separator: "\r\n")
    }

    /// A small picture in one colour.
    static func image(_ shade: UInt8) -> [UInt8] {
        let pixel: [UInt8] = [shade, 255 - shade, 77, 255]
        return PNGEncoder.encode(pixels: Array((0..<64).map { _ in pixel }.joined()), width: 8, height: 8)
    }

    static func inline(_ shade: UInt8) -> String {
        ";ENCODING=b;TYPE=PNG:" + Data(image(shade)).base64EncodedString()
    }

    static func inline(jpeg: [UInt8]) -> String { ";ENCODING=b;TYPE=JPEG:" + Data(jpeg).base64EncodedString() }

    func write(_ text: String, to name: String) throws { try folder.write(Array(text.utf8), to: "book/\(name)") }

    /// As writers of vdirs do it.
    func replace(_ text: String, in name: String) throws { try replace(Array(text.utf8), in: name) }

    func replace(_ bytes: [UInt8], in name: String) throws {
        try folder.write(bytes, to: "book/.\(name).tmp")
        let old = path.string + "/.\(name).tmp"
        _ = rename(old, path.string + "/" + name)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path.string + "/" + name) }

    func loader(
        _ styles: [AvatarStyle] = [AvatarStyle(size: 16)], isWatching: Bool = false, _ file: String? = nil
    ) -> ContactLoader {
        ContactLoader(
            file.map { path.appending($0) } ?? path, styles: styles, pipeline: AvatarPipeline(cache: cache, .patient),
            isWatching: isWatching)
    }

    /// All events of a load without watching.
    func load(_ styles: [AvatarStyle] = [AvatarStyle(size: 16)], _ file: String? = nil) async throws -> [LoaderEvent] {
        var events: [LoaderEvent] = []
        for try await event in loader(styles, file).events() { events.append(event) }
        return events
    }
}

extension LoaderEvent {
    /// Short, for comparing.
    var text: String {
        switch self {
        case .total(let count): "total \(count)"
        case .contact(let index, let contact): "contact \(index) \(contact.id)"
        case .contactFailed(let failure): "broken \(failure.file):\(failure.line ?? 0) \(failure.code)"
        case .avatar(let avatar): "avatar \(avatar.contact) \(avatar.source)"
        case .avatarFailed(let failure): "failed \(failure.contact) \(failure.code)"
        case .finished: "finished"
        case .contactChanged(_, let contact): "changed \(contact.id)"
        case .contactRemoved(let id): "removed \(id)"
        }
    }

    var avatar: PreparedAvatar? {
        if case .avatar(let avatar) = self { avatar } else { nil }
    }

    var summary: LoadSummary? {
        if case .finished(let summary) = self { summary } else { nil }
    }
}

extension [LoaderEvent] {
    var texts: [String] { map(\.text) }
    var keys: [String: String] {
        Dictionary(compactMap(\.avatar).map { ($0.contact, $0.key) }, uniquingKeysWith: { _, last in last })
    }
}

extension AvatarPipeline.Options {
    /// For tests whose photos are drawn on a busy machine, in whatever time it takes.
    static var patient: Self {
        var options = Self()
        options.timeout = .seconds(600)
        return options
    }
}
