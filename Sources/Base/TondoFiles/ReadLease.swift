internal import Glibc
package import SystemPackage

/// A lease that the kernel grants while no program has the file open for writing, and revokes when one opens it
/// (fcntl(2), F_SETLEASE).
package struct ReadLease {
    private let descriptor: FileDescriptor
    /// Another owner's file, or a file system without leases.
    private let isUnknown: Bool
    // F_SETLEASE and F_GETLEASE of fcntl(2).
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025

    /// Requests the lease without waiting. A program that has the file open for writing prevents it: see `isGranted`.
    package init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
        _ = Self.ignoringLeaseSignal
        // EAGAIN is an answer: a program has the file open for writing.
        isUnknown = fcntl(descriptor.rawValue, Self.setLease, F_RDLCK) != 0 && errno != EAGAIN
    }

    /// The kernel announces a blocked writer by SIGIO, which would end the process; the writer waits only a short time
    /// anyway.
    private static let ignoringLeaseSignal: Void = {
        let previous = signal(SIGIO, SIG_IGN)
        // SIG_DFL is nil; a handler of the program stays.
        if previous != nil { signal(SIGIO, previous) }
    }()

    /// Nil if it is unknown.
    package var isGranted: Bool? { isUnknown ? nil : fcntl(descriptor.rawValue, Self.getLease) == F_RDLCK }

    /// Gives the lease back, so that a writer that the kernel holds up continues. It also ends with the descriptor.
    package func end() { _ = fcntl(descriptor.rawValue, Self.setLease, F_UNLCK) }
}
