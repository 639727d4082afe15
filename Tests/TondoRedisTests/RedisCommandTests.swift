import Testing

@testable import TondoRedis

@Suite struct RedisCommandTests {
    @Test func `Words are sent as bulk strings with their lengths in bytes`() {
        let command = RedisCommand("SET", "é", 12, .bytes([0, 13]))
        let expected = "*4\r\n$3\r\nSET\r\n$2\r\né\r\n$2\r\n12\r\n$2\r\n\0\r\r\n"
        #expect(command.encoded == Array(expected.utf8))
    }

    @Test func `The room of a command with many words grows by factors, not by words`() {
        var command = RedisCommand("MGET")
        var sizes: Set<Int> = []
        for number in 0..<5_000 {
            command.append(.text("tondo:avatar:\(number)"))
            sizes.insert(command.body.capacity)
        }
        // Doubling takes 17 steps to these 130 KB; room for each word apart takes thousands.
        #expect(command.count == 5_001 && sizes.count < 40)
    }
}
