import TondoDrawText
import TondoRender

// The sandboxed worker for initials: `tondo-render-text BYTES`, with a socket on descriptor 3. Started by Tondo, never by hand.
// A program of its own, because Pango and the fonts are large, and because it decodes no photos.
guard CommandLine.arguments.count == 2, let memory = Int(CommandLine.arguments[1]), memory > 0 else {
    print("tondo-render-text draws initials for tondo, which starts it.")
    exit(64)
}
exit(RenderWorker.run(memory: memory, linked: InitialsDrawer.prepare(FontSet())))

#if canImport(Glibc)
    private import Glibc
#endif
