internal import NIOCore
internal import NIOExtras
internal import NIOHTTP1

/// Handles each request before Hummingbird: refuses requests that exceed the limits, responds from memory or through the
/// direct path if possible, and forwards the others. The asynchronous part of a connection is created when its first
/// request needs it.
///
/// Runs on the event loop of its channel, next to the HTTP decoder and encoder. Responses keep the order of their
/// requests: while a forwarded request has no response, no later one is handled here, and while a direct response is
/// being made, what follows it is held, and nothing more is read.
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
    /// What came behind that request, no more than two reads.
    private var held = CircularBuffer<HTTPServerRequestPart>()
    private var holdsRead = false
    private var isGone = false
    /// The framing of the current or last request.
    private var framing = ResponseFraming()
    private var isEnded = false
    private var bodyBytes = 0
    private var isResponding = false
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
    }

    func channelActive(context: ChannelHandlerContext) {
        peer = ConnectionPeer(context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isGone = true
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { isGone = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard disposition != .refused else { return }
        let part = unwrapInboundIn(data)
        if direct != nil, isEnded { held.append(part) } else { take(part, context) }
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): return read(head, context)
        case .body(let bytes):
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
        watch.note { $0.headEnded($1) }
        if let problem = RequestRefusal.problem(of: head, limits: limits) {
            refuse(problem, context)
        } else if inside.isEmpty, head.isKeepAlive, let fast = fastPath(head, peer) {
            write(fast, framing)
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
        write(response, framing, isLast: isShuttingDown)
        watch.note { $0.responded($1) }
        if isShuttingDown { return closeAfterFlush(context) }
        var isForwarding = false
        while direct == nil || !isEnded, disposition != .refused, let part = held.popFirst() {
            take(part, context)
            isForwarding = isForwarding || disposition == .inside
        }
        watch.flush()
        if isForwarding { context.fireChannelReadComplete() }
        if isInputClosed, disposition != .refused { endInput(context) }
        if direct == nil, holdsRead {
            holdsRead = false
            context.read()
        }
    }

    /// Reads nothing more once there is something behind the request whose direct response is being made: pipelined requests
    /// would accumulate. Not before: most clients send nothing more, and to stop reading and begin again is two system calls.
    func read(context: ChannelHandlerContext) {
        if direct == nil || held.isEmpty { context.read() } else { holdsRead = true }
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
        guard !isResponding, earlier == 0, direct == nil else { return context.close(promise: nil) }
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
        case .body where !framing.hasBody: promise?.succeed()
        case .body: context.write(data, promise: promise)
        case .end:
            inside.removeFirst()
            isResponding = false
            context.write(data, promise: promise)
            watch.note { $0.responded($1) }
            if endsConnection || isShuttingDown && inside.isEmpty { closeAfterFlush(context) }
        }
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
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        endAbandonedStream(context)
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
        guard direct == nil else { return }
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
