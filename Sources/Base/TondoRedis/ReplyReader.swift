internal import libhiredis

/// Takes replies out of a stream of bytes. hiredis parses; sockets and time are not its business, because its own
/// time-outs are per system call, and it writes without MSG_NOSIGNAL.
final class ReplyReader {
    private let reader: UnsafeMutablePointer<redisReader>
    /// Bytes since the last complete reply.
    private var pending = 0
    private let limit: Int

    /// `limit`: bytes of one reply. `keepsBuffer`: for many replies in turn.
    init(limit: Int, keepsBuffer: Bool = false) throws(RedisError) {
        guard let reader = redisReaderCreate() else { throw .malformed("out of memory") }
        // Otherwise it gives its memory back after every large reply.
        if keepsBuffer { reader.pointee.maxbuf = 0 }
        self.reader = reader
        self.limit = limit
    }

    deinit { redisReaderFree(reader) }

    func feed(_ bytes: UnsafeRawBufferPointer) throws(RedisError) {
        pending += bytes.count
        guard pending <= limit else { throw .malformed("longer than \(limit) bytes") }
        guard redisReaderFeed(reader, bytes.baseAddress, bytes.count) == REDIS_OK else { throw error }
    }

    /// No reply has begun.
    var isEmpty: Bool { reader.pointee.pos == reader.pointee.len && reader.pointee.ridx == -1 }

    /// Nil: more bytes are needed. After an error the reader is of no use.
    func next() throws(RedisError) -> RedisValue? {
        guard reader.pointee.pos < reader.pointee.len else { return nil }
        var reply: UnsafeMutableRawPointer?
        guard redisReaderGetReply(reader, &reply) == REDIS_OK else { throw error }
        guard let reply else { return nil }
        defer { freeReplyObject(reply) }
        pending = 0
        guard let value = RedisValue(reply.assumingMemoryBound(to: redisReply.self).pointee) else {
            throw .malformed("a type that RESP2 does not have")
        }
        return value
    }

    private var error: RedisError {
        let text = withUnsafeBytes(of: reader.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return .malformed(text)
    }
}
