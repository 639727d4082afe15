import NIOCore
import NIOEmbedded
import Testing

@testable import TondoServer

@Suite struct ConnectionWatchTests {
    @Test func `Nothing is read from a client that does not read`() throws {
        let reads = Reads()
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([reads, ConnectionWatch(limits: .init())])
        channel.pipeline.read()
        #expect(reads.count == 1)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.pipeline.read()
        channel.pipeline.read()
        #expect(reads.count == 1)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(reads.count == 2)
        _ = try? channel.finish()
    }
}

private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
