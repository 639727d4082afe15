import Testing

@testable import TondoRender

@Suite struct WorkerLinesTests {
    private final class Worker {}

    private typealias Lines = WorkerLines<Worker, Int>

    private func lines(_ worker: Worker) -> Lines {
        var lines = Lines()
        lines.add(worker)
        return lines
    }

    @Test func `The worker that was used last is taken first`() {
        let workers = [Worker(), Worker()]
        var lines = Lines()
        for worker in workers { lines.keep(worker) }
        #expect(lines.take() === workers[1])
        #expect(lines.take() === workers[0])
        #expect(lines.take() == nil)
    }

    @Test func `Nothing is sent behind a request that is not sent yet`() {
        let worker = Worker()
        var lines = lines(worker)
        #expect(lines.join(2) == nil)
        lines.sent(to: worker)
        #expect(lines.join(2) === worker)
    }

    @Test func `A worker has two callers at most`() {
        let worker = Worker()
        var lines = lines(worker)
        lines.sent(to: worker)
        _ = lines.join(2)
        lines.sent(to: worker)
        #expect(lines.join(3) == nil)
        #expect(lines.leave(worker, isWorn: false) == 2)
        #expect(lines.join(3) === worker)
    }

    @Test func `A caller whose turn comes before its request is sent takes none behind it until then`() {
        let worker = Worker()
        var lines = lines(worker)
        lines.sent(to: worker)
        _ = lines.join(2)
        #expect(lines.leave(worker, isWorn: false) == 2)
        #expect(lines.join(3) == nil)
        lines.sent(to: worker)
        #expect(lines.join(3) === worker)
    }

    @Test func `A worn worker draws the photo in its socket, and no further one`() {
        let worker = Worker()
        var lines = lines(worker)
        lines.sent(to: worker)
        _ = lines.join(2)
        lines.sent(to: worker)
        #expect(lines.leave(worker, isWorn: true) == 2)
        #expect(lines.join(3) == nil)
        #expect(lines.leave(worker, isWorn: false) == nil)
        #expect(lines.join(3) == nil && lines.take() == nil)
    }

    @Test func `The end of a worker sends back the caller behind, and no other`() {
        let workers = [Worker(), Worker()]
        var lines = lines(workers[0])
        lines.add(workers[1])
        for worker in workers { lines.sent(to: worker) }
        #expect(lines.join(2) === workers[0])
        #expect(lines.join(3) === workers[1])
        #expect(lines.end(workers[0]) == 2)
        #expect(lines.leave(workers[1], isWorn: false) == 3)
        #expect(lines.end(workers[1]) == nil)
    }

    @Test func `A caller joins the photo that was begun first`() {
        let workers = [Worker(), Worker()]
        var lines = lines(workers[0])
        lines.add(workers[1])
        for worker in workers { lines.sent(to: worker) }
        #expect(lines.join(2) === workers[0])
        lines.sent(to: workers[0])
        _ = lines.leave(workers[0], isWorn: false)
        #expect(lines.join(3) === workers[1])
        #expect(lines.join(4) === workers[0])
    }

    /// One worker, and everything that can happen to it, in every order: whoever joins is called once, and the worker has one
    /// owner in the end.
    @Test func `At whatever step a worker ends, no caller is lost or called twice`() {
        enum Step: CaseIterable { case join, sent, leave, leaveWorn, end }
        var runs = 0
        func follow(_ lines: Lines, _ worker: Worker, front: Int?, behind: Int?, next: Int, depth: Int) {
            runs += 1
            if depth == 0 { return }
            for step in Step.allCases {
                var (lines, front, behind, next) = (lines, front, behind, next)
                switch step {
                case .join:
                    guard lines.join(next) != nil else { continue }
                    #expect(front != nil && behind == nil)
                    (behind, next) = (next, next + 1)
                case .sent: lines.sent(to: worker)
                case .leave, .leaveWorn:
                    guard front != nil else { continue }
                    #expect(lines.leave(worker, isWorn: step == .leaveWorn) == behind)
                    (front, behind) = (behind, nil)
                    if front == nil { lines.keep(worker) }
                case .end:
                    guard front != nil else { continue }
                    #expect(lines.end(worker) == behind)
                    (front, behind) = (nil, nil)
                    #expect(lines.take() == nil && lines.join(next) == nil)
                    continue
                }
                #expect(lines.idle.count == (front == nil ? 1 : 0))
                if front == nil {
                    #expect(lines.take() === worker)
                    front = next
                    next += 1
                }
                follow(lines, worker, front: front, behind: behind, next: next, depth: depth - 1)
            }
        }
        let worker = Worker()
        follow(lines(worker), worker, front: 0, behind: nil, next: 1, depth: 6)
        #expect(runs > 1_000)
    }
}
