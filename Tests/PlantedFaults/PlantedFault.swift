internal import CMisdeeds
internal import Glibc
internal import TondoRender

/// What a worker does in the place of drawing a photo, as if its author had taken it over. The one list of all tests: those in
/// Swift, and those of the units, to which `RenderFaults list` prints it.
package enum PlantedFault: String, CaseIterable, Sendable {
    case readPasswd = "read-passwd"
    case readFont = "read-font"
    case writeFile = "write-file"
    case writeOutput = "write-output"
    case openSocket = "open-socket"
    case sendElsewhere = "send-elsewhere"
    case execute
    case fork
    case killParent = "kill-parent"
    case traceParent = "trace-parent"
    case mapExecutable = "map-executable"
    case allocate
    case segfault
    case overflowStack = "overflow-stack"
    case abort
    case exit
    case garbage
    case otherRequest = "other-request"
    case wrongAvatar = "wrong-avatar"
    case hugeLength = "huge-length"
    case close
    case halfAvatar = "half-avatar"
    case loop

    /// How the supervisor sees it.
    package enum Ending: String, Sendable {
        /// The system ends the process, because of a call that is not on its list.
        case forbidden
        /// The process ends by a signal of another kind.
        case crash
        /// Its answer is none, or it leaves.
        case wrongAnswer = "wrong-answer"
        /// It does not end: the deadline does.
        case late
    }

    package var ending: Ending {
        switch self {
        case .readPasswd, .readFont, .writeFile, .writeOutput, .openSocket, .sendElsewhere, .execute, .fork,
            .killParent,
            .traceParent, .mapExecutable:
            .forbidden
        case .allocate, .segfault, .overflowStack, .abort: .crash
        case .exit, .garbage, .otherRequest, .wrongAvatar, .hugeLength, .close: .wrongAnswer
        case .halfAvatar, .loop: .late
        }
    }
}

// MARK: In a photo

extension PlantedFault {
    /// Two letters, for photos that are initials: "QA" is the first one.
    package var letters: String {
        guard let index = Self.allCases.firstIndex(of: self), index < 26 else { preconditionFailure("26 letters") }
        return "Q" + String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index)))
    }

    /// A photo asks for a fault by its last line: "FAULT NAME", or "text=LETTERS" as the last line of a drawing of initials.
    package init?(askedForBy photo: some Collection<UInt8>) {
        let text = String(decoding: photo.suffix(64), as: UTF8.self)
        guard let line = text.split(whereSeparator: \.isNewline).last else { return nil }
        if line.hasPrefix("FAULT ") {
            self.init(rawValue: String(line.dropFirst(6)))
        } else if let fault = Self.allCases.first(where: { line == "text=\($0.letters)" }) {
            self = fault
        } else {
            return nil
        }
    }

    /// The photo with this fault behind its end, for which it can be probed as before. `isInBox`: a HEIC or AVIF, where it is in a
    /// box that is skipped (ISO/IEC 14496-12 section 8.1.2).
    package func added(to photo: [UInt8], isInBox: Bool = false) -> [UInt8] {
        let line = Array("\nFAULT \(rawValue)\n".utf8)
        return photo + (isInBox ? [0, 0, 0, UInt8(8 + line.count)] + Array("free".utf8) : []) + line
    }

    /// A name with its letters.
    package var name: String { "\(letters.prefix(1)) \(letters.suffix(1))" }
}

// MARK: In a worker

extension PlantedFault {
    /// For `RenderWorker.run`.
    package static func detour(_ photo: UnsafeRawBufferPointer, _ request: UInt64) -> Bool {
        guard let fault = PlantedFault(askedForBy: photo) else { return false }
        fault.commit(request)
        return true
    }

    /// Called with `list` in the place of its memory, a program prints a line for each fault: its name, how it ends, its letters.
    package static func printList() {
        for fault in allCases { print(fault.rawValue, fault.ending.rawValue, fault.letters) }
    }

    private func commit(_ request: UInt64) {
        switch self {
        case .garbage: Self.send((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 73) })
        case .otherRequest: Self.send(RenderWorker.failure(request: request + 1))
        case .wrongAvatar: Self.send(RenderWorker.avatar([1, 2, 3], request: request))
        case .halfAvatar:
            Self.send(Array(RenderWorker.avatar([UInt8](repeating: 0, count: 9_000), request: request).dropLast(9)))
        case .hugeLength: Self.send(RenderWorker.avatar(length: .max >> 1, request: request))
        case .close:
            Glibc.close(RenderWorker.socket)
            // A worker that closed its socket goes on.
            _ = cmisdeeds_do(PlantedFault.loop.rawValue)
        case .exit: _exit(0)
        default:
            // It got away with it, as in a build with a sanitizer.
            _exit(cmisdeeds_do(rawValue) == 0 ? 3 : 4)
        }
    }

    private static func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                (message.msg_iov, message.msg_iovlen) = (part, 1)
                _ = sendmsg(RenderWorker.socket, &message, Int32(MSG_NOSIGNAL))
            }
        }
    }
}
