import CMemory

/// How the process is to hold memory when it decodes one picture after the other.
enum Allocator {
    /// Keeps the memory of one photo for the next. By default large buffers go back to the kernel after every photo,
    /// and clearing fresh pages costs a tenth of a photo's time.
    static func keepFreedMemory() { cmemory_keep_freed(32 << 20, 64 << 20) }

    /// For a process that runs for long: large buffers come from the kernel and go back to it, so that they leave no holes
    /// between small ones that stay. Costs up to a tenth of a photo's time.
    static func leaveNoHoles() { cmemory_keep_freed(512 << 10, 8 << 20) }

    /// Few threads have a store of their own, so that what one of them frees is there for the others: by default there
    /// are eight for each processor, and a service that runs for long fills them all.
    static func shareMemory() { cmemory_limit_stores(2) }

    /// For a process that has much to do for long: what is free between what stays adds up.
    static func giveBack() { cmemory_give_back() }

    /// For a process that will have nothing to do for a while: gives back what is free, and the parts of the program that
    /// were needed last, most of them only by the start.
    static func rest() {
        giveBack()
        cmemory_let_go_of_program()
    }
}
