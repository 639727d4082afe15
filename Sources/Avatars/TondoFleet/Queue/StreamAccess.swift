package import TondoRedis

/// What the Redis of work and events has to permit.
package enum StreamAccess {
    /// The least rules of ACL SETUSER for publishing, working, `tondo jobs` and events.
    package static let rules =
        "~tondo:1:* -@all +info +get +set +del +incr +eval +multi +exec +expire +pexpire +rpush +lpop +xadd +xlen +xrange "
        + "+xrevrange +xread +xreadgroup +xgroup +xinfo +xpending +xclaim +xautoclaim +xack +xdel"

    /// One of each command, on keys of its own, which end with the last.
    package static var probes: [RedisCommand] {
        let tag = "\(FleetNames.prefix){check:\(UInt64.random(in: .min ... .max))}:"
        let (text, list, stream): (RedisArgument, RedisArgument, RedisArgument) = (
            .text(tag + "text"), .text(tag + "list"), .text(tag + "stream")
        )
        return [
            RedisCommand("INFO", "memory"), RedisCommand("SET", text, "1", "NX", "PX", 10_000),
            RedisCommand("GET", text), RedisCommand("INCR", text), RedisCommand("PEXPIRE", text, 10_000),
            RedisCommand("EVAL", "return 0", 1, text), RedisCommand("MULTI"), RedisCommand("RPUSH", list, "x"),
            RedisCommand("EXEC"), RedisCommand("EXPIRE", list, 10), RedisCommand("LPOP", list, 1),
            RedisCommand("XADD", stream, "1-0", "k", "v"),
            RedisCommand("XGROUP", "CREATE", stream, "g", "0"), RedisCommand("XLEN", stream),
            RedisCommand("XRANGE", stream, "-", "+"), RedisCommand("XREVRANGE", stream, "+", "-"),
            RedisCommand("XREAD", "STREAMS", stream, "0"),
            RedisCommand("XREADGROUP", "GROUP", "g", "c", "STREAMS", stream, ">"),
            RedisCommand("XINFO", "GROUPS", stream), RedisCommand("XPENDING", stream, "g"),
            RedisCommand("XCLAIM", stream, "g", "c", 0, "1-0", "JUSTID"),
            RedisCommand("XAUTOCLAIM", stream, "g", "c", 0, "0"), RedisCommand("XACK", stream, "g", "1-0"),
            RedisCommand("XDEL", stream, "1-0"), RedisCommand("DEL", text, list, stream),
        ]
    }
}
