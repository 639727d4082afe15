internal import Dispatch
internal import Synchronization

/// Fetches the photos of URLs that are due: two of a host at once, eight in all, for some minutes at most; the rest is due in
/// the next run.
package struct PhotoRun: Sendable {
    /// Photos that were due, by the end of their requests; those for which no time was left are in none of the counts.
    package struct Report: Equatable, Sendable {
        /// New pictures, equal to the stored one or not.
        package var fetched = 0
        /// The server answered 304.
        package var unchanged = 0
        /// Requests without a picture, 404 and 410 included; the stored picture may stay nevertheless.
        package var failed = 0

        package init() {}
    }

    private let fetch: PhotoFetch
    private let store: PhotoStore
    private let now: Int
    private let limit: Duration

    private static let perHost = 2
    private static let atOnce = 8

    /// `now`: seconds since 1970; `limit`: no request begins later than this after the start.
    package init(fetch: PhotoFetch, store: PhotoStore, now: Int, limit: Duration = .seconds(300)) {
        self.fetch = fetch
        self.store = store
        self.now = now
        self.limit = limit
    }

    /// Photos of one host that one thread fetches one after the other.
    private typealias Lane = [(state: PhotoState, url: WebURL, hosts: PhotoHosts)]

    private struct Work {
        var lanes: [Lane]
        var report = Report()
        var failure: (any Error)?
    }

    /// `wanted`: by URL, from where its photo may come. Blocks. Throws a `FileError` if the photos cannot be stored, or
    /// `HTTPError.cancelled`.
    package func run(_ wanted: [String: PhotoHosts]) throws -> Report {
        let work = Mutex(Work(lanes: lanes(wanted)))
        let end = ContinuousClock.now + limit
        let group = DispatchGroup()
        for number in 0..<Self.atOnce {
            // Queues of their own: requests block, and the threads of the global ones are few.
            DispatchQueue(label: "tondo.photos.\(number)").async(group: group) {
                while let lane = work.withLock({ $0.lanes.popLast() }) { run(lane, work: work, until: end) }
            }
        }
        group.wait()
        return try work.withLock { work in
            if let failure = work.failure { throw failure }
            return work.report
        }
    }

    private func lanes(_ wanted: [String: PhotoHosts]) -> [Lane] {
        var hosts: [String: [Lane]] = [:]
        for state in store.use(wanted.keys, now: now).sorted(by: { $0.due < $1.due }) {
            guard let url = WebURL(state.url), let permitted = wanted[state.url] else { continue }
            var lanes = hosts[url.origin.host] ?? Array(repeating: [], count: Self.perHost)
            let shortest = lanes.indices.min { lanes[$0].count < lanes[$1].count } ?? 0
            lanes[shortest].append((state, url, permitted))
            hosts[url.origin.host] = lanes
        }
        // Short ones last: they are taken first.
        return hosts.values.flatMap { $0 }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    private func run(_ lane: Lane, work: borrowing Mutex<Work>, until end: ContinuousClock.Instant) {
        let client = fetch.newClient()
        for (state, url, hosts) in lane where ContinuousClock.now < end && work.withLock({ $0.failure == nil }) {
            do {
                let (answer, bytes) = try fetch.run(url, known: state.picture, hosts: hosts, client: client)
                try store.take(answer, bytes: bytes, of: state.url, now: now)
                work.withLock { $0.report.count(answer) }
            } catch { work.withLock { $0.failure = $0.failure ?? error } }
        }
    }
}

extension PhotoRun.Report {
    fileprivate mutating func count(_ answer: PhotoState.Answer) {
        switch answer {
        case .picture: fetched += 1
        case .same: unchanged += 1
        case .gone, .failed: failed += 1
        }
    }
}
