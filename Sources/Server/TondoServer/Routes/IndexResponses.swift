internal import NIOCore
internal import Synchronization

/// The last responses of `fields=index`. They have megabytes, so few are kept, and apart from the pages. Usable from any
/// thread.
final class IndexResponses: Sendable {
    private struct State {
        var revision = -1
        /// The newest last.
        var responses: [(target: String, response: EncodedResponse)] = []
    }

    private let state = Mutex(State())
    private let count: Int
    private let size: Int

    /// `count`: the maximum number of responses, `size`: of their bytes.
    init(count: Int = 4, size: Int = 16 << 20) {
        self.count = count
        self.size = size
    }

    /// `revision`: of `ResponseCache`; another one removes all.
    func response(to target: String, _ revision: Int) -> EncodedResponse? {
        state.withLock { state in
            state.revision == revision ? state.responses.first { $0.target == target }?.response : nil
        }
    }

    func store(_ response: EncodedResponse, to target: String, at revision: Int) {
        state.withLock { state in
            if revision < state.revision { return }
            if revision > state.revision {
                state.revision = revision
                state.responses = []
            }
            state.responses.removeAll { $0.target == target }
            state.responses.append((target, response))
            while state.responses.count > count || state.responses.reduce(0, { $0 + $1.response.size }) > size {
                state.responses.removeFirst()
            }
        }
    }
}

extension EncodedResponse {
    fileprivate var size: Int { body?.readableBytes ?? 0 }
}
