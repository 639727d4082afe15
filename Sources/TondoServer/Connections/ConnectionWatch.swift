internal import NIOCore

/// Closes a connection that exceeds a deadline. It is the handler next to the socket, because only there the bytes of
/// incomplete heads are visible.
///
/// Runs on the event loop of its channel. A timer checks, when it fires, whether the deadline has moved. So a request
/// never schedules a timer.
final class ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var times: ConnectionTimes
    private var timer: Scheduled<Void>?
    private var timerDue = NIODeadline.distantFuture
    private var context: ChannelHandlerContext?
    private var holdsRead = false

    init(limits: ConnectionLimits) { times = ConnectionTimes(limits: limits, now: .now()) }

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
        note { $0.becameWritable(writable, $1) }
        context.fireChannelWritabilityChanged()
        guard writable, holdsRead else { return }
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

    /// Writes bytes past the encoder; the response before them must be complete.
    func write(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>? = nil) {
        guard let context else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        context.write(wrapOutboundOut(bytes), promise: promise)
    }

    func flush() { context?.flush() }

    private func plan() {
        guard let deadline = times.deadline, deadline < timerDue, let context else { return }
        timer?.cancel()
        timerDue = deadline
        let watch = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline) { watch.value.fire() }
    }

    private func fire() {
        (timer, timerDue) = (nil, .distantFuture)
        guard let deadline = times.deadline, let context else { return }
        guard deadline <= .now() else { return plan() }
        context.close(promise: nil)
    }

    private func end() {
        timer?.cancel()
        (timer, context, timerDue) = (nil, nil, .distantFuture)
    }
}
