/// Scripts, each of which Redis runs as one command.
enum StreamScript {
    /// Adds jobs while there is room, once for each number of a batch: the same one again has the same ids, and one before the
    /// last, which was on its way until now, has none. KEYS: the stream, the last batch of the requester. ARGV: the limit of the
    /// stream, the number of the batch, seconds for which it is known, then for each job the number of its words and these.
    /// Returns the length before, and the ids.
    static let publish = """
        local length = redis.call('XLEN', KEYS[1])
        local number, known = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+) (.*)')
        local ids, at = {}, 4
        if number and tonumber(number) >= tonumber(ARGV[2]) then
          if number == ARGV[2] then
            for id in string.gmatch(known, '%S+') do ids[#ids + 1] = id end
          end
          return {length, ids}
        end
        while at <= #ARGV and length + #ids < tonumber(ARGV[1]) do
          local last = at + tonumber(ARGV[at])
          ids[#ids + 1] = redis.call('XADD', KEYS[1], '*', unpack(ARGV, at + 1, last))
          at = last + 1
        end
        redis.call('SET', KEYS[2], ARGV[2] .. ' ' .. table.concat(ids, ' '), 'EX', ARGV[3])
        return {length, ids}
        """

    /// Moves a job to the dead ones and passes its result on, unless it is gone: its worker did not hear that this was done
    /// before, or it was dropped. KEYS: the stream, the dead jobs, the results. ARGV: the limit of dead jobs, the group, the
    /// consumer, the id, the result (empty: no load waits for it), the seconds that it waits, the words. Added first: without
    /// memory nothing is deleted. XCLAIM forgets an entry that is pending and gone.
    static let deadLetter = """
        if #redis.call('XCLAIM', KEYS[1], ARGV[2], ARGV[3], 0, ARGV[4], 'JUSTID') == 0 then return 0 end
        redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], '*', unpack(ARGV, 7))
        if ARGV[5] ~= '' then
          redis.call('RPUSH', KEYS[3], ARGV[5])
          redis.call('EXPIRE', KEYS[3], ARGV[6])
        end
        redis.call('XACK', KEYS[1], ARGV[2], ARGV[4])
        return redis.call('XDEL', KEYS[1], ARGV[4])
        """

    /// Takes a consumer into the group, and those out of it that have no job and were silent for so long: workers that were
    /// killed. One that still runs is made again with its next job. KEYS: the stream. ARGV: the group, the consumer, milliseconds.
    static let join = """
        for _, words in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
          local found = {}
          for at = 1, #words, 2 do found[words[at]] = words[at + 1] end
          if found['pending'] == 0 and found['idle'] >= tonumber(ARGV[3]) then
            redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], found['name'])
          end
        end
        return redis.call('XGROUP', 'CREATECONSUMER', KEYS[1], ARGV[1], ARGV[2])
        """

    /// XCLAIM for jobs that are still this consumer's: another one may have claimed them while it was stopped. KEYS: the stream.
    /// ARGV: the group, the consumer, the number of ids, the ids, the options. Returns how many are.
    static let claimOwn = """
        local own = 0
        local last = 3 + tonumber(ARGV[3])
        for at = 4, last do
          local rows = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[at], ARGV[at], 1, ARGV[2])
          if #rows == 1 then
            redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[at], unpack(ARGV, last + 1))
            own = own + 1
          end
        end
        return own
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
