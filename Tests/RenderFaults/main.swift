import CMisdeeds
import Glibc
import TondoRender

// The worker with planted faults: a photo whose last line begins with "FAULT" names what is done in the place of drawing it.
guard CommandLine.arguments.count == 2, let memory = Int(CommandLine.arguments[1]) else { exit(64) }

/// Of the last line, "FAULT NAME".
func fault(in text: String) -> String? {
    guard let line = text.split(whereSeparator: \.isNewline).last, line.hasPrefix("FAULT ") else { return nil }
    return String(line.dropFirst(6))
}

func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
        var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        withUnsafeMutablePointer(to: &part) { part in
            var message = msghdr()
            (message.msg_iov, message.msg_iovlen) = (part, 1)
            _ = sendmsg(RenderWorker.socket, &message, Int32(MSG_NOSIGNAL))
        }
    }
}

exit(
    RenderWorker.run(memory: memory) { photo, request in
        guard let fault = fault(in: String(decoding: photo.suffix(64), as: UTF8.self)) else { return false }
        switch fault {
        case "garbage": send((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 73) })
        case "other-request": send(RenderWorker.failure(request: request + 1))
        case "wrong-avatar": send(RenderWorker.avatar([1, 2, 3], request: request))
        case "half-avatar":
            send(Array(RenderWorker.avatar([UInt8](repeating: 0, count: 9_000), request: request).dropLast(9)))
        case "huge-length": send(RenderWorker.avatar(length: .max >> 1, request: request))
        case "close": close(RenderWorker.socket)
        case "exit": _exit(0)
        default:
            // It got away with it, as in a build with a sanitizer.
            _exit(cmisdeeds_do(fault) == 0 ? 3 : 4)
        }
        // A worker that closed its socket goes on.
        if fault == "close" { _ = cmisdeeds_do("loop") }
        return true
    })
