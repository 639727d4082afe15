internal import Synchronization
internal import TondoImage
internal import TondoJobs

/// The avatar of every contact without a usable photo: drawn once for all of them. Usable from any thread; never
/// blocks.
final class Placeholder: Sendable {
    private struct State {
        var known: [Avatar]?
        var waiting: [AvatarPipeline.Completion] = []
    }

    private let pipeline: AvatarPipeline
    private let set: StyleSet
    private let state = Mutex(State())

    init(_ pipeline: AvatarPipeline, drawing set: StyleSet) {
        self.pipeline = pipeline
        self.set = set
    }

    /// `completion` is called once, before this returns if the placeholder is in memory. A failure is not remembered.
    func avatars(_ completion: @escaping AvatarPipeline.Completion) {
        let (known, isFirst) = state.withLock { state -> ([Avatar]?, Bool) in
            if let known = state.known { return (known, false) }
            state.waiting.append(completion)
            return (nil, state.waiting.count == 1)
        }
        if let known { return completion(.success(known)) }
        if isFirst { submit() }
    }

    private func submit() {
        var request = AvatarRequest(.silhouette, styles: set)
        request.priority = .visible
        pipeline.avatars(request, .wait) { self.end($0) }
    }

    /// Only the first waiter gets it as drawn.
    private func end(_ result: Result<[Avatar], AvatarFailure>) {
        let kept = result.map { $0.map(\.kept) }
        let waiting = state.withLock { state in
            if case .success(let avatars) = kept { state.known = avatars }
            defer { state.waiting = [] }
            return state.waiting
        }
        for (index, completion) in waiting.enumerated() { completion(index == 0 ? result : kept) }
    }
}

extension Avatar {
    /// As the cache returns it from now on.
    fileprivate var kept: Avatar {
        guard isStored else { return self }
        var avatar = self
        avatar.source = .cache
        avatar.milliseconds = 0
        avatar.bytes = []
        return avatar
    }
}
