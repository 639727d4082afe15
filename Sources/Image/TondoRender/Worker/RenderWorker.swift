internal import CLinux
internal import CSandbox
internal import Glibc
internal import Synchronization
package import TondoImage

/// The worker's side: confines its process, then draws one photo after the other. Nothing here is used by the service's
/// side. One thread, no executor; after `confine` only calls of the list in CSandbox are made.
package struct RenderWorker: ~Copyable {
    /// Where the supervisor leaves the worker's end of the socket.
    package static let socket: Int32 = 3

    /// What a test does instead of drawing a photo. Returns false if the photo is to be drawn.
    package typealias Detour = (_ photo: UnsafeRawBufferPointer, _ request: UInt64) -> Bool

    // A worker without work keeps nothing: not the memory of its last photo, nor the pages of its program, which come back from the
    // page cache within 0.1 ms.
    private var socket = FrameSocket(socket: RenderWorker.socket, takesDescriptors: true) {
        clinux_malloc_trim()
        clinux_drop_program_pages()
    }
    private var setup: RenderSetup?
    private var renderer = AvatarRenderer(styles: [])
    /// Nil: avatars are drawn.
    private var fitter: PhotoFitter?
    private let steps = StepLog()
    private let linked: LibraryDecoder?
    /// Nil: no style asks for a face.
    private var faces: FaceDetector?

    private init(linked: LibraryDecoder?) { self.linked = linked }

    /// Runs until the supervisor closes its end. `memory`: bytes of address space. `faceModel`: the path of the face model, which
    /// is read here; nil: faces are not looked for. `linked`: the decoder of this program's own library, which must not open a
    /// file or start a thread any more. Returns the exit status.
    package static func run(
        memory: Int, faceModel: String? = nil, linked: LibraryDecoder? = nil, detour: Detour = { _, _ in false }
    ) -> Int32 {
        // As a command does: clearing fresh pages for each photo costs a tenth of its time.
        clinux_keep_freed(32 << 20, 64 << 20)
        // Little CMS asks for the time of day, and then the C library for the file of the time zone, once.
        tzset()
        // When memory is short, the kernel ends a process that decodes first, which costs a photo or nothing.
        clinux_prefer_for_oom_kill()
        var worker = RenderWorker(linked: linked)
        do throws(FrameSocketError) {
            guard try worker.load(faceModel), try worker.confine(memory: memory) else { return 77 }
            while true { try worker.draw(detour) }
        } catch { return error == .closed ? 0 : 65 }
    }

    /// False: refused. Without its model, a worker would draw other avatars than those that their keys name.
    private mutating func load(_ faceModel: String?) throws(FrameSocketError) -> Bool {
        guard let faceModel else { return true }
        do throws(FaceModelFailure) {
            faces = FaceDetector(try FaceModelFile.load(faceModel))
            return true
        } catch {
            try refuse(layer: "face model", reason: error.description)
            return false
        }
    }

    private mutating func confine(memory: Int) throws(FrameSocketError) -> Bool {
        var report = csandbox_report()
        let limits = csandbox_limits(memory: UInt64(memory), descriptors: 64, seconds: 3_600)
        if csandbox_confine(Self.socket, limits, &report) == 0 {
            try socket.send(.ready, request: 0, body: WorkerGreeting.ready(landlock: Int(report.landlock)).bytes)
            return true
        }
        try refuse(layer: String(cString: report.layer), reason: String(cString: strerror(report.error)))
        return false
    }

    private mutating func refuse(layer: String, reason: String) throws(FrameSocketError) {
        let greeting = WorkerGreeting.refused(layer: layer, reason: reason)
        try socket.send(.refused, request: 0, body: greeting.bytes)
    }

    private mutating func draw(_ detour: Detour) throws(FrameSocketError) {
        let frame = try socket.receive(limit: RenderRequest.longest)
        guard frame.kind == .request else { throw .malformed("not a request") }
        let body = try socket.receive(count: frame.length)
        let request: RenderRequest
        do { request = try RenderRequest(body, last: setup) } catch { throw .malformed(error.what) }
        prepare(request.setup)
        guard let photo = try read(request.source) else {
            let error = RenderError(stage: .limits, error: .outOfMemory)
            return try socket.send(.failed, request: frame.request, body: error.bytes)
        }
        if detour(UnsafeRawBufferPointer(photo), frame.request) { return free(photo.baseAddress) }
        let (kind, end) = try draw(UnsafeRawBufferPointer(photo), for: request, id: frame.request)
        // Before the answer: a fault that shows here is the one of this photo, and not of the next, which may be in the socket.
        free(photo.baseAddress)
        try socket.send(kind, request: frame.request, body: end)
    }

    /// Most requests have the styles of the one before.
    private mutating func prepare(_ setup: RenderSetup) {
        if self.setup?.bytes == setup.bytes { return }
        self.setup = setup
        fitter = setup.fit.map { [linked] in PhotoFitter(bounds: $0, limits: setup.limits, linked: linked) }
        renderer = AvatarRenderer(
            styles: setup.styles, limits: setup.limits, timer: { [steps] in steps.add($0, time: $1) }, linked: linked,
            faces: faces)
    }

    /// Nil: there is not enough memory. The bytes come from `malloc`.
    private mutating func read(
        _ source: RenderRequest.Source
    ) throws(FrameSocketError) -> UnsafeMutableRawBufferPointer? {
        let start = malloc(max(source.count, 1))
        switch source {
        case .inBand(let count):
            // Without room the photo is in the way of the next request.
            guard let start else { throw .system(ENOMEM) }
            let bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
            try socket.receive(into: bytes)
            return bytes
        case .descriptor(let offset, let count):
            guard let file = socket.takeDescriptor() else { throw .malformed("no descriptor") }
            defer { close(file) }
            guard let start else { return nil }
            let bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
            // A file that was cut short meanwhile leaves less; the supervisor notices.
            return UnsafeMutableRawBufferPointer(rebasing: bytes[..<Self.read(from: file, at: offset, into: bytes)])
        }
    }

    private static func read(from file: Int32, at offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        while done < bytes.count {
            let got = pread(file, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
            if got < 0, errno == EINTR { continue }
            if got <= 0 { break }
            done += got
        }
        return done
    }

    /// Sends the avatars. Returns the end of the answer.
    private mutating func draw(
        _ photo: UnsafeRawBufferPointer, for request: RenderRequest, id: UInt64
    ) throws(FrameSocketError) -> (Frame.Kind, [UInt8]) {
        let texts = Dictionary(
            request.avatars.map { ($0.index, (keyword: $0.keyword, value: $0.text)) }, uniquingKeysWith: { $1 })
        var left = request.avatars.count
        do {
            if let fitter {
                let (bytes, info) = try fitter.fit(photo)
                for _ in request.avatars { try socket.send(.avatar, request: id, body: bytes) }
                return (.done, RenderEnding(photo: info, steps: [], held: Int(clinux_malloc_held())).bytes)
            }
            let info = try renderer.encode(
                Photo(photo, crop: request.crop), styles: request.avatars.map(\.index),
                text: { texts[$0] ?? (keyword: "", value: "") },
                body: { png, _ in
                    left -= 1
                    // The last one goes with the end of the answer, so that the supervisor wakes once; a long one is
                    // not copied for that.
                    if left == 0, png.count < 1 << 20 {
                        socket.hold(.avatar, request: id, body: png)
                    } else {
                        try socket.send(.avatar, request: id, body: png)
                    }
                })
            let ending = RenderEnding(photo: info, steps: steps.take(), held: Int(clinux_malloc_held()))
            return (.done, ending.bytes)
        } catch let error as RenderError {
            // They must not count for the next photo.
            _ = steps.take()
            return (.failed, error.bytes)
        } catch let error as FrameSocketError { throw error } catch { throw .malformed("an unknown error") }
    }
}

/// Messages for tests of the supervisor.
extension RenderWorker {
    /// A whole message with one avatar.
    package static func avatar(_ png: [UInt8], request: UInt64) -> [UInt8] {
        avatar(length: png.count, request: request) + png
    }

    /// The frame of a message whose body has so many bytes, without the body.
    package static func avatar(length: Int, request: UInt64) -> [UInt8] {
        Frame(kind: .avatar, request: request, length: length).bytes
    }

    /// A whole message that ends a request with `tooManyScans`.
    package static func failure(request: UInt64) -> [UInt8] {
        let body = RenderError(stage: .decode, error: .tooManyScans).bytes
        return Frame(kind: .failed, request: request, length: body.count).bytes + body
    }
}

/// The durations of the steps of one request.
private final class StepLog: Sendable {
    private let steps = Mutex<[RenderEnding.Step]>([])

    func add(_ step: DrawingStep, time: Duration) { steps.withLock { $0.append(.init(step: step, time: time)) } }

    func take() -> [RenderEnding.Step] {
        steps.withLock { steps in
            defer { steps.removeAll(keepingCapacity: true) }
            return steps
        }
    }
}
