import Testing
import TondoRedis

struct RedisAddressTests {
    @Test(arguments: ["unix:/run/redis/redis.sock", "tcp:127.0.0.1:6379", "tcp:[::1]:6379"])
    func `reads sockets and loopback addresses, and writes them the same`(text: String) {
        #expect(RedisAddress(text)?.description == text)
    }

    @Test func `takes localhost for the address, without asking a resolver`() {
        #expect(RedisAddress("tcp:localhost:1")?.description == "tcp:127.0.0.1:1")
    }

    @Test(arguments: [
        "", "redis.sock", "/run/redis.sock", "unix:", "unix:redis.sock", "unix:/a\0b",
        "unix:/" + String(repeating: "a", count: 107),
        "tcp:", "tcp:6379", "tcp:127.0.0.1", "tcp:127.0.0.1:", "tcp:127.0.0.1:0", "tcp:127.0.0.1:65536",
        "tcp:10.0.0.1:6379",
        "tcp:redis.example.org:6379", "tcp:::1:6379", "tcp:127.0.0.1:+1", "redis://127.0.0.1:6379",
    ])
    func `refuses other machines, relative paths and other forms`(text: String) {
        #expect(RedisAddress(text) == nil)
    }

    @Test func `does not show the password`() {
        var address = RedisAddress("unix:/a")!
        address.password = "hunter2"
        var text = "\(address) \(String(reflecting: address))"
        dump(address, to: &text)
        #expect(!text.contains("hunter2"))
    }
}
