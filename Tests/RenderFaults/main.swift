import Glibc
import PlantedFaults
import TondoRender

// `tondo-render` with planted faults, which a photo asks for. `RenderFaults list` prints them.
if CommandLine.arguments.dropFirst() == ["list"] {
    PlantedFault.printList()
    exit(0)
}
guard CommandLine.arguments.count == 2, let memory = Int(CommandLine.arguments[1]) else { exit(64) }
exit(RenderWorker.run(memory: memory, detour: PlantedFault.detour))
