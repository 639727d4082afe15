internal import NIOHTTP1

/// The paths that have a route, and the methods of each. Knows a path in one spelling alone: what a proxy's rule for a
/// prefix may take for another path, such as `//v1//contacts` and `/v1/contacts/`, is none of them.
struct RouteTable: Sendable {
    private struct Route {
        /// Nil stands for any text.
        let segments: [Substring?]
        var methods: Set<String>
    }

    private var routes: [Route] = []

    /// `routes`: patterns such as `/v1/contacts/{id}`, each with a method. `GET` brings `HEAD` along.
    init(_ routes: [(pattern: String, method: String)]) {
        for (pattern, method) in routes {
            let segments = pattern.split(separator: "/").map { $0.first == "{" ? nil : $0 }
            let index = self.routes.firstIndex { $0.segments == segments } ?? self.routes.endIndex
            if index == self.routes.endIndex { self.routes.append(Route(segments: segments, methods: [])) }
            self.routes[index].methods.formUnion(method == "GET" ? ["GET", "HEAD"] : [method])
        }
    }

    /// In alphabetical order; nil when there is no route.
    func methods(of path: Substring) -> [String]? {
        guard path.first == "/" else { return nil }
        let segments = path == "/" ? [] : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard !segments.contains("") else { return nil }
        // A path may have one route by its text and one by a parameter.
        let found = routes.filter { route in
            route.segments.count == segments.count && zip(route.segments, segments).allSatisfy { $0 == nil || $0 == $1 }
        }
        return found.isEmpty ? nil : Set(found.flatMap(\.methods)).sorted()
    }

    /// Why there is no handler for the request; nil when there is one.
    func problem(_ method: String, _ path: Substring) -> ProblemDetails? {
        guard let methods = methods(of: path) else { return Self.notFound }
        if methods.contains(method) { return nil }
        return ProblemDetails(
            .methodNotAllowed, code: "method-not-allowed", allow: methods.joined(separator: ", "))
    }

    private static let notFound = ProblemDetails(.notFound, code: "not-found")
}
