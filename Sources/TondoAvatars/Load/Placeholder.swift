internal import Synchronization
internal import TondoImage
internal import TondoJobs

/// The avatar of every contact without a usable photo: drawn once for all of them. Usable from any thread; never
/// blocks.
final class Placeholder: Sendable {
    private struct State {
        var known: [Face]?
        var waiting: [AvatarPipeline.Completion] = []
    }

    private let pipeline: AvatarPipeline
    private let set: StyleSet
    private let state = Mutex(State())
    /// A cache lookup reads a file, for which the callers must not block.
    private let thread = BlockingThreads(1, label: "tondo.loader.placeholder")

    init(_ pipeline: AvatarPipeline, _ set: StyleSet) { (self.pipeline, self.set) = (pipeline, set) }

    /// `completion` is called once, before this returns if the placeholder is in memory. A failure is not remembered.
    func faces(_ completion: @escaping AvatarPipeline.Completion) {
        let (known, isFirst) = state.withLock { state -> ([Face]?, Bool) in
            if let known = state.known { return (known, false) }
            state.waiting.append(completion)
            return (nil, state.waiting.count == 1)
        }
        if let known { return completion(.success(known)) }
        if isFirst { thread.run { self.ask() } }
    }

    private func ask() {
        var request = AvatarRequest(PhotoFile(copying: Silhouette.photo), styles: set)
        request.priority = .visible
        pipeline.facesWhenRoom(request) { self.end($0) }
    }

    /// Only the first waiter gets it as drawn.
    private func end(_ result: Result<[Face], FaceFailure>) {
        let kept = result.map { $0.map(\.kept) }
        let waiting = state.withLock { state in
            if case .success(let faces) = kept { state.known = faces }
            defer { state.waiting = [] }
            return state.waiting
        }
        for (index, completion) in waiting.enumerated() { completion(index == 0 ? result : kept) }
    }
}

extension Face {
    /// As the cache returns it from now on.
    fileprivate var kept: Face {
        guard isStored else { return self }
        var face = self
        (face.source, face.milliseconds, face.png) = (.cache, 0, [])
        return face
    }
}
