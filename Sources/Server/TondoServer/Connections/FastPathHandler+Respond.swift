internal import NIOCore
internal import NIOHTTP1

/// The responses to forwarded requests, on their way to the client.
extension FastPathHandler {
    /// A response whose length is not known in advance cannot be refused once it has begun; without memory its connection ends.
    func write(
        _ body: IOData, framing: ResponseFraming, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?
    ) {
        if let head = delayed {
            guard head.isAdmitted(by: watch, body) else {
                refuse(head, framing: framing, context: context)
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
    func refuse(_ head: DelayedHead, framing: ResponseFraming, context: ChannelHandlerContext) {
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

    func begin(
        _ head: HTTPResponseHead, framing: ResponseFraming, context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>?
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
        delayed = DelayedHead(head, framing: framing, promise: promise)
        if delayed == nil { context.write(wrapOutboundOut(.head(head)), promise: promise) }
        endAbandonedStream(context)
    }

    /// The final response comes before the client was permitted to send the body. It may send the body all the same, or begin
    /// with its next request: the two look alike, so that the connection ends (RFC 9110 10.1.1).
    var isRefusingBody: Bool { awaitsPermission && inside.count == 1 }

    /// The rest of the current body does not come: its reader gets an error. Otherwise it would take what came for all of it.
    func breakOff(_ context: ChannelHandlerContext) { context.fireErrorCaught(ChannelError.inputClosed) }

    /// Closes after all writes.
    func closeAfterFlush(_ context: ChannelHandlerContext) {
        watch.flush()
        let bound = context.loopBound
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }
}
