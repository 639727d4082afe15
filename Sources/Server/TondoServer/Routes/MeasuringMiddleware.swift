internal import Hummingbird

/// Counts requests by the pattern of their path, and measures their durations.
struct MeasuringMiddleware: RouterMiddleware {
    typealias Context = ServiceContext

    let metrics: ServiceMetrics

    func handle(
        _ request: Request, context: ServiceContext,
        next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        func count(_ status: Int) {
            let seconds = (clock.now - start) / .seconds(1)
            // Unknown paths share one series: clients choose them.
            metrics.count(route: context.endpointPath ?? "none", status: status, seconds: seconds)
        }
        do {
            let response = try await next(request, context)
            count(Int(response.status.code))
            return response
        } catch let problem as ProblemDetails {
            count(problem.status)
            throw problem
        } catch {
            count(error is any HTTPResponseError ? 404 : 500)
            throw error
        }
    }
}
