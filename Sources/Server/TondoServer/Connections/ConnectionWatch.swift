internal import NIOCore

/// Closes a connection that exceeds a deadline, and counts what its client has not read. It is the handler next to the
/// socket, because only there the bytes of incomplete heads are visible, and all bytes of responses.
///
/// Runs on the event loop of its channel. A timer checks, when it fires, whether the deadline has moved. So a request
/// never schedules a timer.
final class ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let budget: OutputBudget
    private var times: ConnectionTimes
    private var output: PendingOutput
    private var client: OutputClient?
    /// An empty write behind what is pending shows when that is taken.
    private var hasMarker = false
    /// Called when the client has read so much that it may get more.
    var onRoom: () -> Void = {}
    private var timer: Scheduled<Void>?
    private var timerDue = NIODeadline.distantFuture
    private var context: ChannelHandlerContext?
    private var holdsRead = false

    init(limits: ConnectionLimits) {
        budget = limits.output
        times = ConnectionTimes(limits: limits, now: .now())
        output = PendingOutput(budget: limits.output)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        plan()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if times.reading == .nothing { note { $0.bytesArrived($1) } }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let writable = context.channel.isWritable
        context.fireChannelWritabilityChanged()
        guard writable else { return }
        onRoom()
        guard holdsRead else { return }
        holdsRead = false
        context.read()
    }

    /// Reads nothing more from a client that does not read its responses: they would accumulate in memory.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable { context.read() } else { holdsRead = true }
    }

    func note(_ change: (inout ConnectionTimes, NIODeadline) -> Void) {
        change(&times, .now())
        plan()
    }

    /// Whether there is memory for a response with this body.
    func admits(_ body: ByteBuffer) -> Bool { budget.admits(body, for: address) }

    /// Whether the budget admits a body of this length.
    func admits(_ bytes: Int) -> Bool { budget.admits(bytes, for: address) }

    /// The client has not read so much that it gets no more.
    var isFull: Bool { context?.channel.isWritable == false }

    /// Writes bytes past the encoder; the response before them must be complete.
    func write(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>? = nil) {
        guard let context else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        output.wrote(bytes)
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data) { output.wrote(bytes) }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if output.isDue { settle(context) }
    }

    func flush() { if let context { flush(context: context) } }

    /// Counts what the socket has not taken.
    private func settle(_ context: ChannelHandlerContext) {
        let buffered = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        output.settle(buffered: buffered, of: address)
        let (bytes, taken, isPressed) = (output.bytes, output.taken, budget.isPressed)
        note { $0.pending(bytes, taken: taken, isPressed: isPressed, now: $1) }
        if bytes > 0, !hasMarker { mark(context) }
    }

    private func mark(_ context: ChannelHandlerContext) {
        hasMarker = true
        let promise = context.eventLoop.makePromise(of: Void.self)
        let watch = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { _ in
            watch.value.hasMarker = false
            if let context = watch.value.context { watch.value.settle(context) }
        }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: promise)
    }

    private var address: OutputClient {
        if let client { return client }
        let client = OutputClient(context?.channel.remoteAddress)
        self.client = client
        return client
    }

    private func plan() {
        // An earlier timer stays: when it fires, it plans the next one. So most requests cost no timer.
        guard let deadline = times.deadline, deadline < timerDue, let context else { return }
        timer?.cancel()
        timerDue = deadline
        let watch = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline) { watch.value.fire() }
    }

    private func fire() {
        timer = nil
        timerDue = .distantFuture
        // What the socket took since the last write decides whether the client has read enough.
        if let context, output.bytes > 0 { settle(context) }
        guard let deadline = times.deadline, let context else { return }
        guard deadline <= .now() else { return plan() }
        context.close(promise: nil)
    }

    private func end() {
        timer?.cancel()
        output.end(of: address)
        timer = nil
        context = nil
        timerDue = .distantFuture
    }
}
