internal import NIOHTTP1

/// The paths of all routes, and their methods. Accepts one spelling of a path only: a prefix rule of a proxy may take
/// `//v1//contacts` or `/v1/contacts/` for another path, so these have no route.
struct RouteTable: Sendable {
    private struct Route {
        /// Nil matches any text.
        let segments: [Substring?]
        var methods: Set<String>
    }

    private var routes: [Route] = []

    /// `routes`: patterns such as `/v1/contacts/{id}`, each with a method. `GET` implies `HEAD`.
    init(routes: [(pattern: String, method: String)]) {
        for (pattern, method) in routes {
            let segments = pattern.split(separator: "/").map { $0.first == "{" ? nil : $0 }
            let index = self.routes.firstIndex { $0.segments == segments } ?? self.routes.endIndex
            if index == self.routes.endIndex { self.routes.append(Route(segments: segments, methods: [])) }
            self.routes[index].methods.formUnion(method == "GET" ? ["GET", "HEAD"] : [method])
        }
    }

    /// In alphabetical order; nil if there is no route.
    func methods(of path: Substring) -> [String]? {
        guard path.first == "/" else { return nil }
        let segments = path == "/" ? [] : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard !segments.contains("") else { return nil }
        // A path can match one route by its text and one by a parameter.
        let found = routes.filter { route in
            route.segments.count == segments.count && zip(route.segments, segments).allSatisfy { $0 == nil || $0 == $1 }
        }
        return found.isEmpty ? nil : Set(found.flatMap(\.methods)).sorted()
    }

    /// Why no handler exists for the request; nil if one exists.
    func problem(of method: String, path: Substring) -> ProblemDetails? {
        guard let methods = methods(of: path) else { return Self.notFound }
        if methods.contains(method) { return nil }
        return ProblemDetails(
            .methodNotAllowed, code: "method-not-allowed", allow: methods.joined(separator: ", "))
    }

    private static let notFound = ProblemDetails(.notFound, code: "not-found")
}
