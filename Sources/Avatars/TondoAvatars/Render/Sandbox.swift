internal import Glibc
package import TondoImage
package import TondoRender

/// Where photos are decoded.
package enum Sandbox: String, CaseIterable, Sendable {
    /// In confined processes.
    case on
    /// In this process, where a fault of a decoder reaches everything.
    case off

    /// The environment variables that name programs of the workers.
    package static let variables = WorkerKind.allCases.map(\.variable)

    /// The standard program of the workers: this one, else the one beside the running program.
    package static func program(named name: String?) -> String {
        if let name, !name.isEmpty { return name }
        var own = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(readlink("/proc/self/exe", &own, own.count), 0)
        let path = own[..<count].map { UInt8(bitPattern: $0) }
        let folder = path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
        return String(decoding: folder, as: UTF8.self) + "/tondo-render"
    }

    /// The workers, a standard one of which has been started; nil: the sandbox is off. `slots`: photos that are drawn at
    /// once; `isAhead`: see `RenderWorkers.Options`. `environment`: the value of a variable, which may name a program.
    package func workers(
        limits: Limits, slots: Int, isAhead: Bool = false, environment: (String) -> String?
    ) throws(WorkerFailure) -> RenderWorkers? {
        if self == .off { return nil }
        var options = RenderWorkers.Options(
            program: Self.program(named: environment(WorkerKind.standard.variable)), limits: limits)
        for kind in WorkerKind.allCases where kind != .standard {
            if let name = environment(kind.variable), !name.isEmpty { options.programs[kind] = name }
        }
        options.slots = slots
        options.isAhead = isAhead
        let workers = RenderWorkers(options: options)
        try workers.prepare()
        return workers
    }
}
