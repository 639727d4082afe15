/// The keys and channels of the work queue. All of one queue share a hash tag, because its transactions touch several of
/// them: in a Redis Cluster they are in one slot.
package struct FleetNames: Equatable, Sendable {
    /// The beginning of every key that Tondo keeps in Redis.
    package static let prefix = "tondo:1:"

    /// The consumer group of the workers.
    package let group = "workers"
    package let work = "\(prefix){jobs}:work"
    package let dead = "\(prefix){jobs}:dead"
    /// How many jobs of lost workers were taken over.
    package let claims = "\(prefix){jobs}:claims"

    package init() {}

    /// What the names of all results begin with.
    package static let results = "\(prefix){jobs}:results:"

    /// The list of results for one requester.
    package func results(_ run: String) -> String { Self.results + run }

    /// What a requester published last.
    func batch(_ run: String) -> String { "\(Self.prefix){jobs}:batch:\(run)" }

    /// A photo on its way to a worker.
    package static func blob(_ name: String) -> String { "\(prefix)photo:\(name)" }
}
