internal import NIOCore
internal import NIOExtras
internal import NIOHTTP1

/// Handles each request before Hummingbird: refuses requests that exceed the limits, responds from memory or through the
/// direct path if possible, and forwards the others. The asynchronous part of a connection is created when its first
/// request needs it.
///
/// Runs on the event loop of its channel, next to the HTTP decoder and encoder. Responses keep the order of their
/// requests: while a forwarded request has no response, no later one is handled here. While a direct response is being made,
/// or the client does not read what it got, what follows is held, and nothing more is read.
///
/// A response for which there is no memory becomes a 503, see `OutputBudget`.
final class FastPathHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What happens to the parts of the current request.
    private enum Disposition { case inside, dropped, refused }

    private let limits: ConnectionLimits
    private let watch: ConnectionWatch
    private let fastPath: HTTPServer.FastPath
    private let directPath: HTTPServer.DirectPath
    private let open: (any Channel) throws -> Void
    private var disposition = Disposition.dropped
    private var opened = false
    /// Forwarded requests without a complete response, the oldest first.
    private var inside = CircularBuffer<ResponseFraming>()
    /// Of the request whose direct response is being made.
    private var direct: ResponseFraming?
    /// What came behind that request, or for a client that does not read: no more than two reads.
    private var held = CircularBuffer<HTTPServerRequestPart>()
    private var holdsRead = false
    private var isTaking = false
    /// The client has ended its side, and requests before that are held.
    private var hasHeldEnd = false
    private var isGone = false
    /// The framing of the current or last request.
    private var framing = ResponseFraming()
    private var isEnded = false
    private var bodyBytes = 0
    private var isResponding = false
    /// The head of the response being written, while its body is not here.
    private var delayed: DelayedHead?
    /// The response being written is refused; its body is dropped.
    private var dropsBody = false
    /// The response being written has no known length.
    private var isEndless = false
    /// The connection ends after the response being written.
    private var endsConnection = false
    /// The client sends nothing more, and perhaps reads nothing more.
    private var isInputClosed = false
    private var peer = ConnectionPeer.network
    private var isShuttingDown = false
    /// The client accepts no responses beyond those of its requests so far.
    private var isLast = false
    private var date = CurrentDate()
    /// The client of the last request waits before it sends the body: until it is permitted, or a final response comes.
    private var awaitsPermission = false

    /// `open` adds the handlers of forwarded requests to the channel.
    init(
        limits: ConnectionLimits, watch: ConnectionWatch, fastPath: @escaping HTTPServer.FastPath,
        directPath: @escaping HTTPServer.DirectPath, open: @escaping (any Channel) throws -> Void
    ) {
        (self.limits, self.watch, self.open) = (limits, watch, open)
        (self.fastPath, self.directPath) = (fastPath, directPath)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { peer = ConnectionPeer(context.channel) }
        watch.onRoom = { [weak self, weak context] in
            if let context { self?.takeHeld(context) }
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        peer = ConnectionPeer(context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        isGone = true
        watch.onRoom = {}
        delayed?.promise?.fail(ChannelError.ioOnClosedChannel)
        delayed = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard disposition != .refused else { return }
        let part = unwrapInboundIn(data)
        if isHolding { held.append(part) } else { take(part, context) }
    }

    /// Between two requests alone: the parts of one stay together.
    private var isHolding: Bool {
        if !held.isEmpty { return true }
        guard isEnded else { return false }
        return direct != nil || isFull
    }

    /// The client has a lot to read. What was only written so far is passed to the socket before.
    private var isFull: Bool {
        guard inside.isEmpty, watch.isFull else { return false }
        watch.flush()
        return watch.isFull
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): return read(head, context)
        case .body(let bytes):
            // A client does not wait for ever.
            awaitsPermission = false
            bodyBytes += bytes.readableBytes
            if bodyBytes > limits.bodyBytes { return refuse(RequestRefusal.body, context) }
        case .end:
            watch.note { $0.requestEnded($1) }
            (framing, isEnded) = (ResponseFraming(), true)
        }
        if disposition == .inside { context.fireChannelRead(wrapInboundOut(part)) }
    }

    private func read(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        disposition = .dropped
        if isShuttingDown || isLast { return }
        (bodyBytes, framing, isEnded) = (0, ResponseFraming(head), false)
        awaitsPermission = Expectation(head) == .permission
        watch.note { $0.headEnded($1) }
        if let problem = RequestRefusal.problem(of: head, limits: limits) {
            refuse(problem, context)
        } else if awaitsPermission {
            forward(head, context)
        } else if inside.isEmpty, head.isKeepAlive, let fast = fastPath(head, peer) {
            write(admitted(fast, framing), framing)
            watch.note { $0.responded($1) }
        } else if inside.isEmpty, head.isKeepAlive, goesDirect(head, context) {
            direct = framing
        } else {
            forward(head, context)
        }
    }

    private func goesDirect(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
        let loop = context.eventLoop
        let (handler, bound) = (NIOLoopBound(self, eventLoop: loop), context.loopBound)
        return directPath(head, peer) { response in
            // Later in any case, so that this request is on its way when its response comes.
            loop.execute { handler.value.finish(response, bound.value) }
        }
    }

    /// Writes the direct response, and goes on with what was held.
    private func finish(_ response: EncodedResponse, _ context: ChannelHandlerContext) {
        guard let framing = direct, !isGone, disposition != .refused else { return }
        direct = nil
        write(admitted(response, framing), framing, isLast: isShuttingDown)
        watch.note { $0.responded($1) }
        if isShuttingDown { return closeAfterFlush(context) }
        watch.flush()
        takeHeld(context)
    }

    /// Goes on with what was held, as far as it can.
    private func takeHeld(_ context: ChannelHandlerContext) {
        guard !isTaking, !isGone else { return }
        isTaking = true
        var isForwarding = false
        while direct == nil || !isEnded, !(isEnded && isFull), disposition != .refused, let part = held.popFirst() {
            take(part, context)
            isForwarding = isForwarding || disposition == .inside
        }
        isTaking = false
        watch.flush()
        if isForwarding { context.fireChannelReadComplete() }
        guard direct == nil, held.isEmpty else { return }
        if isInputClosed, hasHeldEnd, disposition != .refused {
            hasHeldEnd = false
            endInput(context)
        }
        if holdsRead {
            holdsRead = false
            context.read()
        }
    }

    /// Reads nothing more once there is something behind the request whose direct response is being made: pipelined requests
    /// would accumulate. Not before: most clients send nothing more, and to stop reading and begin again is two system calls.
    func read(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() } else { holdsRead = true }
    }

    /// The response, or the one that says that there is no memory for it.
    private func admitted(_ response: EncodedResponse, _ framing: ResponseFraming) -> EncodedResponse {
        guard framing.hasBody, let body = response.body, !watch.admits(body) else { return response }
        var refusal = ProblemDetails.outputFull.encodedResponse
        refusal.isShared = response.isShared
        return refusal
    }

    private func forward(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if !opened {
            opened = true
            do { try open(context.channel) } catch { return context.close(promise: nil) }
        }
        disposition = .inside
        inside.append(framing)
        var head = head
        ProxyHeaders.mark(&head)
        // The decoder stops after a request with `Upgrade`; it gets its response, and the connection ends.
        isLast = !head.isKeepAlive || head.headers.contains(name: "Upgrade")
        // Hummingbird closes the connection for this field, not for HTTP/1.0.
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func write(
        _ fast: EncodedResponse, _ framing: ResponseFraming, isLast: Bool = false,
        promise: EventLoopPromise<Void>? = nil
    ) {
        let head = fast.head(date: date.text(), connection: framing.connection(isLast: isLast))
        guard framing.hasBody, let body = fast.body else { return watch.write(head, promise: promise) }
        watch.write(head)
        watch.write(body, promise: promise)
    }

    /// Responds with the problem and closes. Once a response has begun, only closing is possible.
    private func refuse(_ problem: ProblemDetails, _ context: ChannelHandlerContext) {
        guard disposition != .refused else { return }
        let earlier = disposition == .inside ? inside.count - 1 : inside.count
        disposition = .refused
        // The responses to earlier requests come first, so the client would take this one for theirs.
        guard !isResponding, earlier == 0, direct == nil, held.isEmpty else { return context.close(promise: nil) }
        let promise = context.eventLoop.makePromise(of: Void.self)
        let (bound, watch) = (context.loopBound, NIOLoopBound(watch, eventLoop: context.eventLoop))
        promise.futureResult.whenComplete { _ in
            // A plain close would send a reset, and the client might never read the response.
            bound.value.close(mode: .output, promise: nil)
            watch.value.note { $0.linger($1) }
        }
        write(problem.encodedResponse, framing, isLast: true, promise: promise)
        watch.value.flush()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        watch.flush()
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard disposition != .refused else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let part = unwrapOutboundIn(data)
        guard let framing = inside.first else { return context.write(data, promise: promise) }
        switch part {
        case .head(let head) where head.status.code < 200: context.write(data, promise: promise)
        case .head(let head): begin(head, framing, context, promise)
        case .body where !framing.hasBody || dropsBody: promise?.succeed()
        case .body(let body): write(body, framing, context, promise)
        case .end:
            if let delayed { refuse(delayed, framing, context) }
            inside.removeFirst()
            isResponding = false
            dropsBody = false
            context.write(data, promise: promise)
            watch.note { $0.responded($1) }
            if endsConnection || isShuttingDown && inside.isEmpty { return closeAfterFlush(context) }
            if inside.isEmpty, !held.isEmpty { takeHeld(context) }
        }
    }

    /// A response whose length is not known in advance cannot be refused once it has begun; without memory its connection ends.
    private func write(
        _ body: IOData, _ framing: ResponseFraming, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        if let head = delayed {
            guard head.isAdmitted(by: watch, body) else {
                refuse(head, framing, context)
                promise?.succeed()
                return
            }
            delayed = nil
            context.write(wrapOutboundOut(.head(head.head)), promise: head.promise)
        } else if isEndless, !watch.admits(body.readableBytes) {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return context.close(promise: nil)
        }
        context.write(wrapOutboundOut(.body(body)), promise: promise)
    }

    /// Writes a problem in place of a response that has not begun.
    private func refuse(_ head: DelayedHead, _ framing: ResponseFraming, _ context: ChannelHandlerContext) {
        delayed = nil
        dropsBody = true
        let problem = ProblemDetails.outputFull
        let text = ByteBuffer(string: problem.json)
        var refusal = HTTPResponseHead(version: .http1_1, status: .serviceUnavailable)
        refusal.headers.add(contentsOf: problem.fields.map { ($0.name, $0.value) })
        for name in ["Date", "Connection", "Cross-Origin-Resource-Policy"] {
            for value in head.head.headers[name] { refusal.headers.add(name: name, value: value) }
        }
        refusal.headers.add(name: "Content-Length", value: "\(text.readableBytes)")
        context.write(wrapOutboundOut(.head(refusal)), promise: head.promise)
        context.write(wrapOutboundOut(.body(.byteBuffer(text))), promise: nil)
    }

    private func begin(
        _ head: HTTPResponseHead, _ framing: ResponseFraming, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        var head = head
        isResponding = true
        if !head.headers.contains(name: "Date") { head.headers.add(name: "Date", value: date.text()) }
        let mayBeLast = (isShuttingDown || isLast) && inside.count == 1
        let outcome = framing.complete(&head, isLast: mayBeLast)
        isEndless = outcome.isEndless
        endsConnection = outcome.isLast && !mayBeLast
        if isRefusingBody {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            endsConnection = true
        }
        delayed = DelayedHead(head, framing, promise: promise)
        if delayed == nil { context.write(wrapOutboundOut(.head(head)), promise: promise) }
        endAbandonedStream(context)
    }

    /// The final response comes before the client was permitted to send the body. It may send the body all the same, or begin
    /// with its next request: the two look alike, so that the connection ends (RFC 9110 10.1.1).
    private var isRefusingBody: Bool { awaitsPermission && inside.count == 1 }

    /// Permits the client to send the body of its only request.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Expectation.Permission else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
        guard isRefusingBody, !isResponding, disposition == .inside else { return }
        awaitsPermission = false
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }

    /// If a client has closed its side and waits only for an endless stream, it counts as gone: a program that ends
    /// closes both sides, but the server sees only one (RFC 9112 9.6).
    private func endAbandonedStream(_ context: ChannelHandlerContext) {
        if isInputClosed, isResponding, isEndless { closeAfterFlush(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isShuttingDown = true
            if inside.isEmpty && direct == nil || disposition == .refused { closeAfterFlush(context) }
        case ChannelEvent.inputClosed:
            isInputClosed = true
            endInput(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// The client sends nothing more: the connection ends with the last response.
    private func endInput(_ context: ChannelHandlerContext) {
        guard direct == nil, held.isEmpty else {
            hasHeldEnd = true
            return
        }
        if inside.isEmpty { return closeAfterFlush(context) }
        endAbandonedStream(context)
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    /// Closes after all writes.
    private func closeAfterFlush(_ context: ChannelHandlerContext) {
        watch.flush()
        let bound = context.loopBound
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
        // Input after the last request is ignored; its response is still to be written.
        if isLast, isEnded { return }
        refuse(error == .headerOverflow ? RequestRefusal.fields : RequestRefusal.malformed, context)
    }
}
