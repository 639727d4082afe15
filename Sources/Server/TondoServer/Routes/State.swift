internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoJobs
internal import TondoMirror

extension AvatarService {
    /// `GET /healthz`, `/readyz`, `/v1/jobs` and `/metrics`.
    func addState(to router: Router<ServiceContext>) {
        // Load balancers ask with OPTIONS, too, and count the status.
        for method in [HTTPRequest.Method.get, .options] {
            router.on(RouterPath(HTTPServer.probe), method: method) { _, _ in try self.health().response }
            router.on("/readyz", method: method) { _, _ in try await self.readiness() }
        }
        router.get("/v1/jobs") { _, _ in
            let pipeline = self.addressBooks.pipeline
            return try JSONResponse.ok(report: JobsReport(counters: pipeline.counters, decoder: pipeline.decoder))
        }
        router.get("/metrics") { _, _ in await self.metricsResponse() }
    }

    /// Healthy as long as the draw queue makes progress. A restart brings no unreadable book back. Event loops make it, see
    /// `response`.
    func health() throws(ProblemDetails) -> EncodedResponse {
        if addressBooks.pipeline.isStuck { throw .stuck }
        let isDegraded = addressBooks.progress.contains(where: \.isDegraded)
        return JSONResponse.fast(Array((isDegraded ? #"{"status":"ok","degraded":true}"# : #"{"status":"ok"}"#).utf8))
    }

    /// Ready once every book is counted, as long as the draw queue makes progress. Unreadable books or parts do not
    /// keep the rest from being served: then the service is ready and `degraded`.
    private func readiness() async throws -> Response {
        let problem: ProblemDetails? =
            addressBooks.pipeline.isStuck ? .stuck : addressBooks.isCounted ? nil : .loading
        let report = ReadinessReport(
            books: addressBooks.progress, contacts: addressBooks.directory.count, mirrors: await mirrors(),
            problem: problem,
            shared: addressBooks.pipeline.options.shared.map { SharedTierReport($0) }, queue: await workQueue())
        var response = try JSONResponse.ok(report: report, status: problem == nil ? .ok : .serviceUnavailable)
        if problem != nil {
            response.headers[.contentType] = ProblemDetails.contentType
            response.headers[.cacheControl] = nil
            response.headers[.retryAfter] = "1"
        }
        return response
    }

    private func workQueue() async -> WorkQueueReport? {
        guard let report = options.workQueue else { return nil }
        return await Blocking.run { report() }
    }

    /// Small files, each of which another process replaces.
    private func mirrors() async -> [ReadinessReport.Mirror] {
        let layouts = options.mirrors
        if layouts.isEmpty { return [] }
        let now = WallClock.seconds
        return await Blocking.run { layouts.map { ReadinessReport.Mirror(layout: $0, now: now) } }
    }

    private func metricsResponse() async -> Response {
        let statistics = await sampler.statistics
        var text = MetricsText()
        StateMetrics.write(addressBooks.pipeline.counters, to: &text)
        StateMetrics.write(addressBooks.pipeline.decoder, to: &text)
        StateMetrics.write(addressBooks.pipeline.steps.all, to: &text)
        if let shared = addressBooks.pipeline.options.shared { StateMetrics.write(SharedTierReport(shared), to: &text) }
        if let queue = await workQueue() { StateMetrics.write(queue, to: &text) }
        if let statistics { StateMetrics.write(statistics, to: &text) }
        StateMetrics.write(await mirrors(), to: &text)
        let (progress, searches) = (addressBooks.progress, lists.searchCounters)
        let gauges: [(String, Int, String)] = [
            ("tondo_contacts", addressBooks.directory.count, "Contacts in the served books."),
            ("tondo_books", progress.count, "Served books."),
            ("tondo_books_unreadable", progress.count { $0.problem != nil }, "Unreadable books."),
            (
                "tondo_book_parts_unreadable", progress.reduce(0) { $0 + $1.unreadable.count },
                "Unreadable folders and files in books."
            ),
            ("tondo_searches_waiting", searches.queued, "Queued searches."),
            ("tondo_searches_refused_total", searches.refused, "Searches refused because the queue was full."),
            (
                "tondo_output_bytes", options.output.pending,
                "Bytes of responses that are made, or not read by their clients."
            ),
            ("tondo_output_limit_bytes", options.output.limits.total, "The most of these bytes."),
            (
                "tondo_output_refused_total", options.output.refused,
                "Responses refused because there was no memory for them."
            ),
            ("tondo_event_listeners", broadcaster.subscribers, "Subscribers of the event stream."),
            ("tondo_events_bytes", broadcaster.size, "Bytes of the events kept for replay."),
            ("tondo_events_total", Int(broadcaster.last), "Published events."),
        ]
        text.begin(
            "tondo_jobs_standstill_seconds", kind: "gauge",
            help: "Time for which photos have been queued while none was finished.")
        text.add("tondo_jobs_standstill_seconds", labels: [], value: addressBooks.pipeline.standstill / .seconds(1))
        for (name, value, help) in gauges {
            text.begin(name, kind: name.hasSuffix("_total") ? "counter" : "gauge", help: help)
            text.add(name, labels: [], value: value)
        }
        var headers = HTTPFields()
        headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        let body = metrics.text + text.text
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: body)))
    }
}

extension ProblemDetails {
    /// Photos are queued, and none was finished for too long.
    static let stuck = ProblemDetails(.serviceUnavailable, code: "drawing-stuck")
}
