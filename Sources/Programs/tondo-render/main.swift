import TondoRender

// The sandboxed worker: `tondo-render BYTES`, with a socket on descriptor 3. Started by Tondo, never by hand.
guard CommandLine.arguments.count == 2, let memory = Int(CommandLine.arguments[1]), memory > 0 else {
    print("tondo-render draws avatars for tondo, which starts it.")
    exit(64)
}
exit(RenderWorker.run(memory: memory))

#if canImport(Glibc)
    private import Glibc
#endif
