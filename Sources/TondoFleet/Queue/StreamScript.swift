/// Scripts, each of which Redis runs as one command.
enum StreamScript {
    /// Adds jobs while there is room. KEYS: the stream. ARGV: its limit, then for each job the number of its words and these.
    /// Returns the length before, and the ids.
    static let publish = """
        local length = redis.call('XLEN', KEYS[1])
        local ids, at = {}, 2
        while at <= #ARGV and length + #ids < tonumber(ARGV[1]) do
          local last = at + tonumber(ARGV[at])
          ids[#ids + 1] = redis.call('XADD', KEYS[1], '*', unpack(ARGV, at + 1, last))
          at = last + 1
        end
        return {length, ids}
        """

    /// Moves a dead job into the stream. KEYS: the stream, the dead jobs. ARGV: the limit, the id, the job's words. Returns 1, 0
    /// if the job is not dead any more, or as text the length of a stream without room. Added first: without memory nothing
    /// is deleted.
    static let retry = """
        local length = redis.call('XLEN', KEYS[1])
        if length >= tonumber(ARGV[1]) then return tostring(length) end
        if #redis.call('XRANGE', KEYS[2], ARGV[2], ARGV[2]) == 0 then return 0 end
        redis.call('XADD', KEYS[1], '*', unpack(ARGV, 3))
        return redis.call('XDEL', KEYS[2], ARGV[2])
        """
}
