import TondoRender

// The sandboxed worker: `tondo-render BYTES [MODEL]`, with a socket on descriptor 3. Started by Tondo, never by hand.
guard (2...3).contains(CommandLine.arguments.count), let memory = Int(CommandLine.arguments[1]), memory > 0 else {
    print("tondo-render draws avatars for tondo, which starts it.")
    exit(64)
}
let faceModel = CommandLine.arguments.dropFirst(2).first
exit(RenderWorker.run(memory: memory, faceModel: faceModel))

#if canImport(Glibc)
    private import Glibc
#endif
