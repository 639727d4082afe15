internal import Synchronization

/// Metrics of the service: requests by route and status, and their durations.
final class ServiceMetrics: Sendable {
    private struct Count: Hashable {
        let route: String
        let status: Int
    }

    private struct State {
        var requests: [Count: Int] = [:]
        var times: [String: Times] = [:]
    }

    fileprivate struct Times {
        var buckets = [Int](repeating: 0, count: ServiceMetrics.bounds.count)
        var count = 0
        /// Seconds.
        var sum = 0.0
    }

    /// Seconds; those of a Prometheus histogram.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let state = Mutex(State())
    private let fast = Atomic<Int>(0)

    /// `route`: the pattern of the path, which bounds the number of series.
    func count(route: String, status: Int, seconds: Double) {
        state.withLock { state in
            state.requests[Count(route: route, status: status), default: 0] += 1
            state.times[route, default: Times()].add(seconds)
        }
    }

    /// An avatar served by the fast path.
    func countFast() { fast.wrappingAdd(1, ordering: .relaxed) }

    var text: String {
        let (requests, times) = state.withLock { ($0.requests, $0.times) }
        var text = MetricsText()
        text.begin("tondo_http_requests_total", kind: "counter", help: "Responses of the router by route and status.")
        for (count, number) in requests.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }) {
            text.add(
                "tondo_http_requests_total", labels: [("route", count.route), ("status", "\(count.status)")],
                value: number)
        }
        text.begin("tondo_http_fast_total", kind: "counter", help: "Responses of the fast path, from memory.")
        text.add("tondo_http_fast_total", labels: [], value: fast.load(ordering: .relaxed))
        text.begin(
            "tondo_http_request_seconds", kind: "histogram",
            help: "Time from the head of a request to the head of its response.")
        for (route, times) in times.sorted(by: { $0.key < $1.key }) { times.write(route, to: &text) }
        return text.text
    }
}

extension ServiceMetrics.Times {
    fileprivate mutating func add(_ seconds: Double) {
        count += 1
        sum += seconds
        if let index = ServiceMetrics.bounds.firstIndex(where: { seconds <= $0 }) { buckets[index] += 1 }
    }

    fileprivate func write(_ route: String, to text: inout MetricsText) {
        let name = "tondo_http_request_seconds"
        var sum = 0
        for (bound, count) in zip(ServiceMetrics.bounds, buckets) {
            sum += count
            text.add(name + "_bucket", labels: [("route", route), ("le", "\(bound)")], value: sum)
        }
        text.add(name + "_bucket", labels: [("route", route), ("le", "+Inf")], value: count)
        text.add(name + "_sum", labels: [("route", route)], value: self.sum)
        text.add(name + "_count", labels: [("route", route)], value: count)
    }
}

/// The text format of Prometheus, version 0.0.4.
struct MetricsText {
    private(set) var text = ""

    mutating func begin(_ name: String, kind: String, help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    mutating func add(_ name: String, labels: [(String, String)], value: some CustomStringConvertible) {
        let escaped = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(escaped)} \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
