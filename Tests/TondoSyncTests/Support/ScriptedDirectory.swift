import Foundation
import TondoSync
import TondoTestSupport

/// A directory on loopback whose searches a test answers, for answers that slapd never gives. Connections are served one by one.
final class ScriptedDirectory: Sendable {
    struct Search: Sendable {
        let base: String
        /// It has a part with "at least".
        let comparesTimes: Bool
        /// Of a search with pages; empty: of the first page.
        let cookie: [UInt8]?
    }

    struct Reply: Sendable {
        /// Names of people; each has the time of change unless it begins with a blank.
        var people: [String] = []
        var code: UInt8 = 0
        /// Nil: the answer has no pages.
        var cookie: String?
    }

    let port: Int
    private let socket: Int32
    private let searches = Locked<[Search]>([])

    /// `bind`: code and text that answer a bind.
    init(
        pages: Bool = false, bind: (code: UInt8, text: String) = (0, ""), reply: @escaping @Sendable (Search) -> Reply
    ) throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try FreePort.bind(socket)
        guard listen(socket, 8) == 0 else { throw Slapd.Problem(text: "cannot listen") }
        let (listener, searches) = (socket, searches)
        Thread.detachNewThread {
            // Closed by the thread that waits in it, see `SilentServer`.
            defer { close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                defer { close(connection) }
                var (data, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
                while case let count = recv(connection, &piece, piece.count, 0), count > 0 {
                    data += piece[..<count]
                    while let message = BER(data[...]) {
                        data = Array(data[message.end...])
                        let answer = Self.answer(message.content, hasPages: pages, bind: bind) { search in
                            searches.withLock { $0.append(search) }
                            return reply(search)
                        }
                        _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                    }
                }
            }
        }
    }

    deinit { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Those below the root entry.
    var asked: [Search] { searches.withLock { $0 } }

    private static let pagesControl = "1.2.840.113556.1.4.319"

    private static func answer(
        _ content: ArraySlice<UInt8>, hasPages: Bool, bind: (code: UInt8, text: String), _ reply: (Search) -> Reply
    ) -> [UInt8] {
        let parts = BER.all(content)
        guard parts.count > 1 else { return [] }
        let id = BER.text(2, Array(parts[0].content))
        func message(_ operation: [UInt8], _ controls: [UInt8] = []) -> [UInt8] {
            BER.text(0x30, id + operation + controls)
        }
        func end(_ tag: UInt8, _ code: UInt8, _ text: String = "") -> [UInt8] {
            BER.text(tag, BER.text(0x0A, [code]) + BER.text(4, []) + BER.text(4, Array(text.utf8)))
        }
        if parts[1].tag == 0x60 { return message(end(0x61, bind.code, bind.text)) }
        guard parts[1].tag == 0x63 else { return [] }
        let fields = BER.all(parts[1].content)
        if fields[1].content == [0] {
            let root = entry("", ["supportedControl": hasPages ? pagesControl : "0", "namingContexts": "dc=example"])
            return message(root) + message(end(0x65, 0))
        }
        var cookie: [UInt8]?
        if parts.count > 2, let control = BER.all(parts[2].content).first, let value = BER.all(control.content).last {
            cookie = BER(value.content).flatMap { BER.all($0.content).last.map { Array($0.content) } }
        }
        let answer = reply(
            Search(
                base: String(decoding: fields[0].content, as: UTF8.self),
                comparesTimes: parts[1].content.contains(0xA5),
                cookie: cookie))
        let page = answer.cookie.map { text in
            let value = BER.text(0x30, BER.text(2, [0]) + BER.text(4, Array(text.utf8)))
            return BER.text(0xA0, BER.text(0x30, BER.text(4, Array(pagesControl.utf8)) + BER.text(4, value)))
        }
        let entries = answer.people.map { name in
            let time = name.hasPrefix(" ") ? [:] : ["modifyTimestamp": "20260101000000Z"]
            return entry(
                "cn=\(name),dc=example", ["cn": "Person\(name)", "objectClass": "person"].merging(time) { $1 })
        }
        return entries.flatMap { message($0) } + message(end(0x65, answer.code), page ?? [])
    }

    private static func entry(_ name: String, _ values: [String: String]) -> [UInt8] {
        let rows = values.flatMap { key, value in
            BER.text(0x30, BER.text(4, Array(key.utf8)) + BER.text(0x31, BER.text(4, Array(value.utf8))))
        }
        return BER.text(0x64, BER.text(4, Array(name.utf8)) + BER.text(0x30, rows))
    }
}

/// One element (X.690).
private struct BER {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    /// Behind it.
    var end: Int { content.endIndex }

    /// Nil: it has not arrived as a whole.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count > 1 else { return nil }
        var (size, start) = (Int(bytes[bytes.startIndex + 1]), bytes.startIndex + 2)
        if size & 0x80 != 0 {
            let count = size & 0x7F
            guard bytes.endIndex >= start + count else { return nil }
            size = bytes[start..<(start + count)].reduce(0) { $0 << 8 | Int($1) }
            start += count
        }
        guard bytes.endIndex >= start + size else { return nil }
        (tag, content) = (bytes[bytes.startIndex], bytes[start..<(start + size)])
    }

    static func all(_ bytes: ArraySlice<UInt8>) -> [BER] {
        var (found, rest) = ([BER](), bytes)
        while let next = BER(rest) {
            found.append(next)
            rest = rest[next.end...]
        }
        return found
    }

    static func text(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        content.count < 128
            ? [tag, UInt8(content.count)] + content
            : [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
}
