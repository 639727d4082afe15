internal import Glibc
package import TondoImage
package import TondoRender

/// Where photos are decoded.
package enum Sandbox: String, CaseIterable, Sendable {
    /// In confined processes.
    case on
    /// In this process, where a fault of a decoder reaches everything.
    case off

    /// The environment variable that names the program of the workers.
    package static let variable = "TONDO_RENDER"

    /// The program of the workers: the one of the variable, else the one beside the running program.
    package static func program(named name: String?) -> String {
        if let name, !name.isEmpty { return name }
        var own = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(readlink("/proc/self/exe", &own, own.count), 0)
        let path = own[..<count].map { UInt8(bitPattern: $0) }
        let folder = path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
        return String(decoding: folder, as: UTF8.self) + "/tondo-render"
    }

    /// The workers with this program, one of which has been started; nil: the sandbox is off. `program`: of the
    /// environment.
    package func workers(_ program: String?, limits: Limits) throws(WorkerFailure) -> RenderWorkers? {
        if self == .off { return nil }
        let workers = RenderWorkers(.init(program: Self.program(named: program), limits: limits))
        try workers.prepare()
        return workers
    }
}
