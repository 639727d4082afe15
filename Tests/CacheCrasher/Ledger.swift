/// The reports of the processes, and what must therefore be in the cache.
///
/// A store counts from its beginning, a removal up to its end or its process's death: an entry must be there when some
/// store of it returned that began after every removal that could have taken it was over.
struct Ledger {
    /// Numbers below this may be removed at any time, by processes that keep to a limit of size.
    let firstLasting: Int
    /// Steps so far.
    private var time = 0
    /// By process: the picture being stored and when that began.
    private var storing: [Int: (number: Int, time: Int)] = [:]
    /// By process: the numbers that are being removed.
    private var removing: [Int: Range<Int>] = [:]
    /// By number: the latest beginning of a store that returned.
    private var stored: [Int: Int] = [:]
    /// By number: the latest end of a removal.
    private var removed: [Int: Int] = [:]
    /// Numbers of which some store began.
    private(set) var begun: Set<Int> = []

    init(firstLasting: Int) { self.firstLasting = firstLasting }

    mutating func note(_ event: Event) {
        time += 1
        switch event.kind {
        case .storing:
            storing[event.process] = (event.number, time)
            begun.insert(event.number)
        case .stored:
            guard let store = storing.removeValue(forKey: event.process) else { return }
            stored[store.number] = max(stored[store.number] ?? 0, store.time)
        case .removing: removing[event.process] = event.number..<(event.number + 1)
        case .removingBelow: removing[event.process] = 0..<event.number
        case .removed: endRemoval(event.process)
        default: break
        }
    }

    /// To be called after the process has ended and all of its reports were recorded.
    mutating func noteDeath(of process: Int) {
        time += 1
        storing[process] = nil
        endRemoval(process)
    }

    private mutating func endRemoval(_ process: Int) {
        for number in removing.removeValue(forKey: process) ?? 0..<0 { removed[number] = time }
    }

    /// What must be there now.
    var lasting: [Int] {
        stored.filter { number, began in
            number >= firstLasting && began > removed[number] ?? 0
                && !removing.values.contains { $0.contains(number) }
        }.keys.sorted()
    }
}
