internal import CLinux
internal import Glibc
internal import TondoImage

/// Why a worker did not draw a photo.
package enum WorkerFailure: Error, Equatable, Sendable {
    /// No worker could be started.
    case unavailable(String)
    /// There is no program at this path.
    case missing(String)
    /// It crashed, ended, or broke the protocol.
    case crashed(String)
    /// Another process ended it, as the kernel does when memory is short.
    case killed
    /// It was ended at the deadline.
    case late
}

extension WorkerFailure: CustomStringConvertible {
    package var description: String { renderError.description }
}

/// One process of a worker's program, from its start to its end. Used by one thread at a time, except that the next one may
/// send its request meanwhile; blocks.
// Safe because of `WorkerLines`: one thread at a time sends, and one receives, which alone ends the process.
final class WorkerProcess: @unchecked Sendable {
    let process: pid_t
    /// The version of Landlock that confines it; 0: the kernel has none.
    let landlock: Int
    /// Requests that it answered.
    private(set) var answers = 0
    /// Bytes that its allocator held at the last answer.
    private(set) var held = 0
    /// Closed with the last thread that has it, so that its number is not used for another file meanwhile.
    private let socket: Int32
    private var requests: FrameSocket
    private var request: UInt64 = 0
    private var replies: FrameSocket
    private var isEnded = false

    /// Starts the program, and waits until it is confined. `memory`: bytes of its address space. `faceModel`: a path; nil: it
    /// finds no faces.
    init(program: String, memory: Int, faceModel: String? = nil, within limit: Duration) throws(WorkerFailure) {
        let (process, socket) = try Self.spawn(program, words: ["\(memory)"] + [faceModel].compactMap(\.self))
        self.process = process
        self.socket = socket
        requests = FrameSocket(socket: socket, takesDescriptors: false)
        replies = FrameSocket(socket: socket, takesDescriptors: false)
        replies.deadline = .now + limit
        let greeting: WorkerGreeting
        do { greeting = try Self.greeting(&replies) } catch {
            let status = Self.end(process, waits: error == .closed)
            close(socket)
            if status.isFromOutside { throw .killed }
            throw .unavailable("\(program) did not start: \(error == .closed ? Self.text(of: status) : "no answer")")
        }
        switch greeting {
        case .ready(let landlock): self.landlock = landlock
        case .refused(let layer, let reason):
            _ = Self.end(process)
            close(socket)
            throw .unavailable("\(program) refused to start: \(layer): \(reason)")
        }
    }

    deinit {
        end()
        close(socket)
    }

    /// Ends the process. It has nothing to finish.
    func end() {
        if isEnded { return }
        isEnded = true
        _ = Self.end(process)
    }

    /// It runs, and has sent nothing that nothing asked for.
    var isWaiting: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    private static func greeting(_ frames: inout FrameSocket) throws(FrameSocketError) -> WorkerGreeting {
        let frame = try frames.receive(limit: WorkerGreeting.longest)
        let body = try frames.receive(count: frame.length)
        do { return try WorkerGreeting(kind: frame.kind, bytes: body) } catch { throw .malformed(error.what) }
    }
}

// MARK: Drawing

extension WorkerProcess {
    /// The bytes of a photo.
    enum Photo {
        case bytes(UnsafeRawBufferPointer)
        case descriptor(Int32)

        /// It surely fits into the socket beside another one, so that sending it does not block.
        var isShort: Bool {
            if case .bytes(let bytes) = self { bytes.count <= RenderWorkers.mostSentAhead } else { true }
        }
    }

    /// The number of a request that was sent, or why it was not.
    typealias Sent = Result<UInt64, FrameSocketError>

    /// Passes each avatar to `body`, in the order of the request. After an error other than a `RenderError` the process
    /// has ended. Throws a `RenderError`, a `WorkerFailure` or an error of `body`.
    func receive(
        _ request: RenderRequest, sent: Sent, deadline: SuspendingClock.Instant, body: ([UInt8], Int) throws -> Void
    ) throws -> RenderEnding {
        replies.deadline = deadline
        do {
            let ending = try receive(request, number: try sent.get(), body: body)
            answers = answers + 1
            held = ending.held
            return ending
        } catch let error as RenderError {
            answers += 1
            throw error
        } catch let error as FrameSocketError {
            throw ending(after: error)
        } catch {
            end()
            throw error
        }
    }

    /// The worker may draw another photo meanwhile.
    func send(_ request: RenderRequest, photo: Photo, deadline: SuspendingClock.Instant) -> Sent {
        requests.deadline = deadline
        self.request += 1
        do throws(FrameSocketError) {
            switch photo {
            case .bytes(let bytes):
                try requests.send(.request, request: self.request, body: request.bytes, payload: bytes)
            case .descriptor(let file):
                try requests.send(.request, request: self.request, body: request.bytes, descriptor: file)
            }
            return .success(self.request)
        } catch { return .failure(error) }
    }

    private func receive(
        _ request: RenderRequest, number: UInt64, body: ([UInt8], Int) throws -> Void
    ) throws -> RenderEnding {
        for avatar in request.avatars {
            let longest = request.setup.longest(avatar.index)
            let frame = try receiveFrame(number, limit: max(longest, RenderEnding.longest))
            let bytes = try replies.receive(count: frame.length)
            if frame.kind == .failed { throw try Self.error(in: bytes) }
            // A hostile photo may control the worker: only what has the form of this avatar goes into the cache.
            guard frame.kind == .avatar, bytes.count <= longest,
                bytes.withUnsafeBytes({ Self.isForm($0, of: avatar, setup: request.setup) })
            else { throw FrameSocketError.malformed("not an avatar") }
            try body(bytes, avatar.index)
        }
        let frame = try receiveFrame(number, limit: RenderEnding.longest)
        let end = try replies.receive(count: frame.length)
        if frame.kind == .failed { throw try Self.error(in: end) }
        guard frame.kind == .done else { throw FrameSocketError.malformed("not an end") }
        do { return try RenderEnding(end) } catch { throw FrameSocketError.malformed(error.what) }
    }

    private static func isForm(
        _ bytes: UnsafeRawBufferPointer, of avatar: RenderRequest.Avatar, setup: RenderSetup
    ) -> Bool {
        guard let bounds = setup.fit else { return isForm(bytes, of: avatar, style: setup.styles[avatar.index]) }
        // Nothing beside a picture within the bounds.
        return (try? StorablePhoto(drawn: Array(bytes), within: bounds)) != nil
    }

    /// An avatar with the crop `face` may have a second text, which only the worker knows.
    private static func isForm(
        _ bytes: UnsafeRawBufferPointer, of avatar: RenderRequest.Avatar, style: Style
    ) -> Bool {
        var texts = [(keyword: avatar.keyword, value: avatar.text)]
        if style.crop == .face, let text = AvatarText.value(of: CropRecord.keyword, in: bytes) {
            guard CropRecord(text) != nil else { return false }
            texts.append((CropRecord.keyword, text))
        }
        return style.format.isForm(bytes, side: style.side, texts: texts)
    }

    private func receiveFrame(_ number: UInt64, limit: Int) throws(FrameSocketError) -> Frame {
        let frame = try replies.receive(limit: limit)
        // An answer to another request would store one contact's photo under the key of another.
        guard frame.request == number else { throw .malformed("an answer to another request") }
        return frame
    }

    private static func error(in bytes: [UInt8]) throws(FrameSocketError) -> RenderError {
        do { return try RenderError(bytes) } catch { throw .malformed(error.what) }
    }

    private func ending(after error: FrameSocketError) -> WorkerFailure {
        isEnded = true
        let isPatient = error == .closed
        let status = Self.end(process, waits: isPatient)
        return switch error {
        case .late: .late
        case .malformed(let what): .crashed("it sent \(what)")
        case .closed where status.isFromOutside: .killed
        case .closed: .crashed(Self.text(of: status))
        case .system(let error): .crashed(String(cString: strerror(error)))
        }
    }
}

// MARK: Starting and ending

extension WorkerProcess {
    /// How a process ended.
    private enum Status {
        case exit(Int32)
        case signal(Int32)
        /// By this process, because it still ran.
        case ended

        /// Signals that a confined process cannot send to itself.
        var isFromOutside: Bool {
            if case .signal(let signal) = self { [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(signal) } else { false }
        }
    }

    private static func text(of status: Status) -> String {
        switch status {
        case .exit(let status): "it ended with status \(status)"
        case .signal(let signal): "signal \(signal), \(String(cString: strsignal(signal)))"
        case .ended: "it closed its socket"
        }
    }

    private static func spawn(
        _ program: String, words: [String]
    ) throws(WorkerFailure) -> (process: pid_t, socket: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .unavailable(String(cString: strerror(errno)))
        }
        var process: pid_t = 0
        let error = start(program, words: words, with: ends[1], process: &process)
        // With a copy of its end here, a worker that ends would never look like a closed socket.
        close(ends[1])
        if error == 0 { return (process, ends[0]) }
        close(ends[0])
        if error == ENOENT { throw .missing(program) }
        throw .unavailable("\(program): \(String(cString: strerror(error)))")
    }

    private static func start(_ program: String, words: [String], with end: Int32, process: inout pid_t) -> Int32 {
        withWords([program.split(separator: "/").last.map(String.init) ?? program] + words) {
            clinux_spawn(program, $0, end, &process)
        }
    }

    private static func withWords<Result>(
        _ words: [String], body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { list in
            guard let start = list.baseAddress else { preconditionFailure("a list with an end is not empty") }
            return body(start)
        }
    }

    /// Milliseconds between the end of a process's socket and its own. On a busy machine, one of 10,000 took longer than 100.
    private static let longestEnd = 2_000

    /// `waits`: the process closed its socket, and is about to end by itself; its reason is wanted.
    private static func end(_ process: pid_t, waits: Bool = false) -> Status {
        var status: Int32 = 0
        for _ in 0..<(waits ? longestEnd : 0) {
            if waitpid(process, &status, WNOHANG) == process { return self.status(of: status) }
            poll(nil, 0, 1)
        }
        // The process is not reaped yet, so the number is still its own.
        let isRunning = waits || waitpid(process, &status, WNOHANG) == 0
        guard isRunning else { return self.status(of: status) }
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return .ended
    }

    private static func status(of status: Int32) -> Status {
        let signal = status & 0x7F
        return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    }
}

extension RenderSetup {
    /// Bytes that the answer with this index may have.
    fileprivate func longest(_ index: Int) -> Int { fit?.maxBytes ?? AvatarFrame.longest(side: styles[index].side) }
}
