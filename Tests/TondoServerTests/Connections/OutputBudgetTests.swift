import NIOCore
import Testing

@testable import TondoServer

@Suite struct OutputBudgetTests {
    private func budget(total: Int, client: Int? = nil) -> OutputBudget {
        var limits = OutputBudget.Limits()
        (limits.total, limits.client) = (total, client ?? total / 2)
        return OutputBudget(limits: limits)
    }

    private func buffer(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 7, count: count) }

    @Test func `A buffer that many connections send counts once`() {
        let (budget, shared) = (budget(total: 1 << 20), buffer(100_000))
        var outputs = (0..<2_000).map { _ in PendingOutput(budget: budget) }
        for index in outputs.indices {
            outputs[index].wrote(shared)
            outputs[index].settle(buffered: 90_000, of: .address(UInt64(index)))
        }
        #expect(budget.pending == shared.storageCapacity)
        #expect(budget.admits(shared, for: .local))
        for index in outputs.indices { outputs[index].end(of: .address(UInt64(index))) }
        #expect(budget.pending == 0)
    }

    @Test func `Different buffers are refused once the service has no room for them`() {
        let budget = budget(total: 1 << 20, client: 1 << 20)
        var outputs: [PendingOutput] = []
        for number in 0..<100 {
            let body = buffer(100_000)
            guard budget.admits(body, for: .address(UInt64(number))) else { break }
            outputs.append(PendingOutput(budget: budget))
            outputs[number].wrote(body)
            outputs[number].settle(buffered: 100_000, of: .address(UInt64(number)))
        }
        #expect((1 << 19...1 << 20).contains(budget.pending) && outputs.count < 11)
        #expect(budget.refused == 1)
        outputs[0].settle(buffered: 0, of: .address(0))
        #expect(budget.admits(buffer(100_000), for: .address(0)))
    }

    @Test func `A client keeps no more than its part, and others are served`() {
        let budget = budget(total: 1 << 20)
        var output = PendingOutput(budget: budget)
        let bodies = (0..<20).map { _ in buffer(100_000) }
        for body in bodies where budget.admits(body, for: .address(1)) { output.wrote(body) }
        output.settle(buffered: 2_000_000, of: .address(1))
        // All of them were admitted before the first counted; from now on it gets nothing more.
        #expect(!budget.admits(buffer(20_000), for: .address(1)))
        output.settle(buffered: 600_000, of: .address(1))
        #expect(!budget.admits(buffer(20_000), for: .address(1)))
        #expect(budget.admits(buffer(20_000), for: .address(2)))
    }

    @Test func `What a socket took no longer counts, and small responses do`() {
        let budget = budget(total: 1 << 20)
        var output = PendingOutput(budget: budget)
        for _ in 0..<3 { output.wrote(buffer(20_000)) }
        for _ in 0..<10 { output.wrote(buffer(1_000)) }
        output.settle(buffered: 35_000, of: .local)
        #expect(output.taken == 35_000)
        let whole = buffer(20_000).storageCapacity
        #expect(budget.pending == 2 * whole)
        output.settle(buffered: 9_000, of: .local)
        #expect(budget.pending == 9_000)
        output.end(of: .local)
        #expect(budget.pending == 0)
    }

    @Test func `An avatar that is made for many requests at once is one buffer, while one of them needs it`() {
        let (budget, picture) = (budget(total: 1 << 20), [UInt8](repeating: 1, count: 50_000))
        var bodies = (0..<100).compactMap { _ in budget.body(picture, named: "key") }
        #expect(bodies.count == 100 && budget.pending == bodies[0].bytes.storageCapacity)
        // A connection keeps it when the requests are answered.
        var output = PendingOutput(budget: budget)
        output.wrote(bodies[0].bytes)
        output.settle(buffered: 50_000, of: .local)
        bodies = []
        let pending = budget.pending
        #expect(pending > 0)
        let late = budget.body(picture, named: "key")
        #expect(late != nil && budget.pending == pending)
        output.end(of: .local)
        #expect(budget.pending == pending)
        withExtendedLifetime(late) {}
    }

    @Test func `Avatars that are made are refused like those that are not read`() {
        let budget = budget(total: 1 << 20)
        let bodies = (0..<30).compactMap { budget.body([UInt8](repeating: 1, count: 50_000), named: "\($0)") }
        #expect(bodies.count < 21 && budget.pending <= 1 << 20)
        #expect(budget.refused == 30 - bodies.count)
    }

    @Test(arguments: [
        ("127.0.0.9", "127.3.4.5", true), ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false),
        ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::1", "127.0.0.1", true),
        ("::ffff:10.0.0.1", "10.0.0.1", true),
    ])
    func `A client is an address, a network of IPv6, or this machine`(_ one: String, _ two: String, isSame: Bool) throws
    {
        let clients = try [one, two].map { OutputClient(try SocketAddress(ipAddress: $0, port: 1)) }
        #expect((clients[0] == clients[1]) == isSame)
    }
}
