private import FuzzSupport
private import Glibc
private import TondoRender

// Photos of all formats but HEIC and AVIF, in this process and through the program `tondo-render`.
exit(
    Fuzzing.run { bytes, count in
        Sandbox.workers.compare(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    })

private enum Sandbox {
    static let workers = FuzzedWorkers(.standard)
}
