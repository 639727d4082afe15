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

    private struct Refusal {
        let problem: ProblemDetails
        let framing: ResponseFraming
        /// Forwarded requests before the refused one that have no response yet.
        var earlier: Int
    }

    private let limits: ConnectionLimits
    let watch: ConnectionWatch
    private let fastPath: HTTPServer.FastPath
    private let directPath: HTTPServer.DirectPath
    private let open: (any Channel) throws -> Void
    private let phone: PhoneListener
    private var disposition = Disposition.dropped
    private var opened = false
    /// Forwarded requests without a complete response, the oldest first.
    var inside = CircularBuffer<ResponseFraming>()
    /// The framing of the request whose direct response is being made.
    private var direct: ResponseFraming?
    /// What came behind that request, or for a client that does not read: no more than two reads.
    private var held = CircularBuffer<HTTPServerRequestPart>()
    /// Why what came behind `held` is refused.
    private var heldProblem: ProblemDetails?
    /// The refusal of the last request that is taken, until the earlier ones have their responses.
    private var refusal: Refusal?
    private var holdsRead = false
    private var isTaking = false
    /// The client has ended its side, and requests before that are held.
    private var hasHeldEnd = false
    private var isGone = false
    /// The framing of the current or last request.
    private var framing = ResponseFraming()
    private var isEnded = false
    /// The current request is the last one, and has its response.
    private var closesAtEnd = false
    /// Bytes that may still come with the body of the current request.
    private var bodyRoom = 0
    var isResponding = false
    /// The head of the response being written, while its body is not here.
    var delayed: DelayedHead?
    /// The response being written is refused; its body is dropped.
    var dropsBody = false
    /// The response being written has no known length.
    var isEndless = false
    /// The connection ends after the response being written.
    var endsConnection = false
    /// The client sends nothing more, and perhaps reads nothing more.
    private var isInputClosed = false
    private var peer = ConnectionPeer.network
    var isShuttingDown = false
    /// The client accepts no responses beyond those of its requests so far.
    var isLast = false
    var date = CurrentDate()
    /// The client of the last request waits before it sends the body: until it is permitted, or a final response comes.
    var awaitsPermission = false

    /// `open` adds the handlers of forwarded requests to the channel.
    init(
        limits: ConnectionLimits, watch: ConnectionWatch, fastPath: @escaping HTTPServer.FastPath,
        directPath: @escaping HTTPServer.DirectPath, phone: PhoneListener,
        open: @escaping (any Channel) throws -> Void
    ) {
        self.limits = limits
        self.watch = watch
        self.open = open
        self.phone = phone
        self.fastPath = fastPath
        self.directPath = directPath
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { peer = ConnectionPeer(context.channel, phone: phone) }
        watch.onRoom = { [weak self, weak context] in
            if let context { self?.takeHeld(context) }
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        peer = ConnectionPeer(context.channel, phone: phone)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if opened, !isEnded { breakOff(context) }
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
        if isHolding { held.append(part) } else { take(part, in: context) }
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

    private func take(_ part: HTTPServerRequestPart, in context: ChannelHandlerContext) {
        switch part {
        case .head(let head): return read(head.inOriginForm, in: context)
        case .body(let bytes):
            // A client does not wait for ever.
            awaitsPermission = false
            bodyRoom -= bytes.readableBytes
            if bodyRoom < 0 { return refuse(RequestRefusal.body, in: context) }
        case .end:
            watch.note { $0.requestEnded($1) }
            framing = ResponseFraming()
            isEnded = true
            if closesAtEnd { closeAfterFlush(context) }
        }
        if disposition == .inside { context.fireChannelRead(wrapInboundOut(part)) }
    }

    private func read(_ head: HTTPRequestHead, in context: ChannelHandlerContext) {
        disposition = .dropped
        if isShuttingDown || isLast { return }
        bodyRoom = limits.body(of: head).bytes
        framing = ResponseFraming(head)
        isEnded = false
        awaitsPermission = Expectation(head) == .permission
        watch.note { $0.headEnded($1, body: limits.body(of: head).time) }
        if let problem = RequestRefusal.problem(of: head, limits: limits) {
            refuse(problem, in: context)
        } else if awaitsPermission {
            forward(head, in: context)
        } else if inside.isEmpty, head.isKeepAlive || head.uri == HTTPServer.probe, let fast = fastPath(head, peer) {
            isLast = !head.isKeepAlive
            write(admitted(fast, framing: framing), framing: framing, isLast: isLast)
            watch.note { $0.responded($1) }
            closesAtEnd = isLast
        } else if inside.isEmpty, head.isKeepAlive, goesDirect(head, in: context) {
            direct = framing
        } else {
            forward(head, in: context)
        }
    }

    private func goesDirect(_ head: HTTPRequestHead, in context: ChannelHandlerContext) -> Bool {
        let loop = context.eventLoop
        let (handler, bound) = (NIOLoopBound(self, eventLoop: loop), context.loopBound)
        return directPath(head, peer) { response in
            // Later in any case, so that this request is on its way when its response comes.
            loop.execute { handler.value.finish(response, in: bound.value) }
        }
    }

    /// Writes the direct response, and goes on with what was held.
    private func finish(_ response: EncodedResponse, in context: ChannelHandlerContext) {
        guard let framing = direct, !isGone else { return }
        direct = nil
        write(admitted(response, framing: framing), framing: framing, isLast: isShuttingDown)
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
            take(part, in: context)
            isForwarding = isForwarding || disposition == .inside
        }
        isTaking = false
        watch.flush()
        if isForwarding { context.fireChannelReadComplete() }
        guard direct == nil, held.isEmpty else { return }
        if let problem = heldProblem, !(isEnded && isFull) {
            heldProblem = nil
            fail(problem, in: context)
        }
        if isInputClosed, hasHeldEnd, disposition != .refused {
            hasHeldEnd = false
            endInput(context)
        }
        readHeld(context)
    }

    /// Reads nothing more once there is something behind the request whose direct response is being made: pipelined requests
    /// would accumulate. Not before: most clients send nothing more, and to stop reading and begin again is two system calls.
    func read(context: ChannelHandlerContext) {
        if held.isEmpty, heldProblem == nil, refusal == nil { context.read() } else { holdsRead = true }
    }

    private func readHeld(_ context: ChannelHandlerContext) {
        guard holdsRead, refusal == nil else { return }
        holdsRead = false
        context.read()
    }

    /// The response, or the one that says that there is no memory for it.
    private func admitted(_ response: EncodedResponse, framing: ResponseFraming) -> EncodedResponse {
        guard framing.hasBody, let body = response.body, body.readableBytes > OutputBudget.ofRefusal,
            !watch.admits(body)
        else { return response }
        var refusal = ProblemDetails.outputFull.encodedResponse
        refusal.isCrossOrigin = response.isCrossOrigin
        return refusal
    }

    private func forward(_ head: HTTPRequestHead, in context: ChannelHandlerContext) {
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
        _ fast: EncodedResponse, framing: ResponseFraming, isLast: Bool = false,
        promise: EventLoopPromise<Void>? = nil
    ) {
        let head = fast.head(date: date.text(), connection: framing.connection(isLast: isLast))
        guard framing.hasBody, let body = fast.body else { return watch.write(head, promise: promise) }
        watch.write(head)
        watch.write(body, promise: promise)
    }

    /// Responds with the problem and closes, once the earlier requests have their responses. Once a response to the request
    /// itself has begun, only closing is possible.
    private func refuse(_ problem: ProblemDetails, in context: ChannelHandlerContext) {
        guard disposition != .refused else { return }
        let isInside = disposition == .inside && !isEnded
        let earlier = isInside ? inside.count - 1 : inside.count
        disposition = .refused
        // Its direct response, which is still being made, is not written. What came behind it is dropped.
        direct = nil
        held.removeAll()
        if earlier == 0, isResponding { return context.close(promise: nil) }
        if !isInside { awaitsPermission = false }
        let refusal = Refusal(problem: problem, framing: framing, earlier: earlier)
        if earlier == 0 { return write(refusal, in: context) }
        self.refusal = refusal
        // The rest of it is not awaited.
        watch.note { $0.requestEnded($1) }
    }

    private func write(_ refusal: Refusal, in context: ChannelHandlerContext) {
        inside.removeAll()
        let promise = context.eventLoop.makePromise(of: Void.self)
        let (bound, watch) = (context.loopBound, NIOLoopBound(watch, eventLoop: context.eventLoop))
        promise.futureResult.whenComplete { _ in
            // A plain close would send a reset, and the client might never read the response.
            bound.value.close(mode: .output, promise: nil)
            watch.value.note { $0.linger($1) }
        }
        write(refusal.problem.encodedResponse, framing: refusal.framing, isLast: true, promise: promise)
        watch.value.flush()
    }

    /// Counts down to the refusal behind a complete response, and writes it if it is its turn.
    private func writeDueRefusal(_ context: ChannelHandlerContext) {
        guard let refusal = refusal, refusal.earlier <= 1 else {
            self.refusal?.earlier -= 1
            return
        }
        self.refusal = nil
        write(refusal, in: context)
        readHeld(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        watch.flush()
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard disposition != .refused || refusal != nil else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let part = unwrapOutboundIn(data)
        guard let framing = inside.first else { return context.write(data, promise: promise) }
        switch part {
        case .head(let head) where head.status.code < 200: context.write(data, promise: promise)
        case .head(let head): begin(head, framing: framing, context: context, promise: promise)
        case .body where !framing.hasBody || dropsBody: promise?.succeed()
        case .body(let body): write(body, framing: framing, context: context, promise: promise)
        case .end:
            if let delayed { refuse(delayed, framing: framing, context: context) }
            inside.removeFirst()
            isResponding = false
            dropsBody = false
            context.write(data, promise: promise)
            watch.note { $0.responded($1) }
            if endsConnection || isShuttingDown && inside.isEmpty { return closeAfterFlush(context) }
            if refusal != nil { return writeDueRefusal(context) }
            if inside.isEmpty, !held.isEmpty || heldProblem != nil { takeHeld(context) }
        }
    }

    /// Permits the client to send the body of its only request.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Expectation.Permission else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        guard isRefusingBody, !isResponding, disposition == .inside else { return }
        awaitsPermission = false
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }

    /// If a client has closed its side and waits only for an endless stream, it counts as gone: a program that ends
    /// closes both sides, but the server sees only one (RFC 9112 9.6).
    func endAbandonedStream(_ context: ChannelHandlerContext) {
        if isInputClosed, isResponding, isEndless { closeAfterFlush(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isShuttingDown = true
            let isRefused = disposition == .refused && refusal == nil
            if inside.isEmpty && direct == nil || isRefused { closeAfterFlush(context) }
        case ChannelEvent.inputClosed:
            isInputClosed = true
            endInput(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// The client sends nothing more: the connection ends with the last response.
    private func endInput(_ context: ChannelHandlerContext) {
        guard direct == nil, held.isEmpty, heldProblem == nil else {
            hasHeldEnd = true
            return
        }
        if inside.isEmpty { return closeAfterFlush(context) }
        endAbandonedStream(context)
        if !isEnded { breakOff(context) }
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
        if disposition == .refused { return }
        let problem = error == .headerOverflow ? RequestRefusal.fields : RequestRefusal.malformed
        if isHolding { heldProblem = problem } else { fail(problem, in: context) }
    }

    /// Refuses what is no request, or no end of one.
    private func fail(_ problem: ProblemDetails, in context: ChannelHandlerContext) {
        // Input after the last request is ignored; its response is still to be written.
        if isLast, isEnded { return }
        refuse(problem, in: context)
    }
}
