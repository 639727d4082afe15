internal import Glibc
package import TondoImage
package import TondoRender

/// Where photos are decoded.
package enum Sandbox: String, CaseIterable, Sendable {
    /// In confined processes.
    case on
    /// In this process, where a fault of a decoder reaches everything.
    case off

    /// The environment variables that name programs of the workers, and their face model.
    package static let variables = WorkerKind.allCases.map(\.variable) + [FaceModelFile.variable]

    /// The standard program of the workers: this one, else the one beside the running program.
    package static func program(named name: String?) -> String {
        if let name, !name.isEmpty { return name }
        return ownFolder + "/tondo-render"
    }

    /// That of the running program.
    private static var ownFolder: String {
        var own = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(readlink("/proc/self/exe", &own, own.count), 0)
        let path = own[..<count].map { UInt8(bitPattern: $0) }
        let folder = path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
        return String(decoding: folder, as: UTF8.self)
    }

    /// The face model of the workers: the one that the environment names, else one beside the running program, or beside the
    /// workers' one, which a program that uses the library has elsewhere.
    package static func faceModel(environment: (String) -> String?) -> FaceModelFile {
        let program = program(named: environment(WorkerKind.standard.variable))
        let folder = program.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(program[..<$0]) }
        return FaceModelFile(
            named: environment(FaceModelFile.variable), folders: [ownFolder, folder].compactMap(\.self))
    }

    /// What finds faces in this process; nil: workers do, or there is no usable face model.
    package func faceDetector(environment: (String) -> String?) -> FaceDetector? {
        guard self == .off, let path = Self.faceModel(environment: environment).path else { return nil }
        return (try? FaceModelFile.load(path)).map { FaceDetector($0) }
    }

    /// The workers, a standard one of which has been started; nil: the sandbox is off. `slots`: photos that are drawn at
    /// once; `isAhead`: see `RenderWorkers.Options`. `environment`: the value of a variable, which may name a program, or the face
    /// model.
    package func workers(
        limits: Limits, slots: Int, isAhead: Bool = false, environment: (String) -> String?
    ) throws(WorkerFailure) -> RenderWorkers? {
        if self == .off { return nil }
        var options = RenderWorkers.Options(
            program: Self.program(named: environment(WorkerKind.standard.variable)), limits: limits)
        for kind in WorkerKind.allCases where kind != .standard {
            if let name = environment(kind.variable), !name.isEmpty { options.programs[kind] = name }
        }
        options.faces = Self.faceModel(environment: environment)
        options.slots = slots
        options.isAhead = isAhead
        let workers = RenderWorkers(options: options)
        try workers.prepare()
        return workers
    }
}
