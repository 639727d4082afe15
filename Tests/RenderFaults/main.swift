import Glibc
import PlantedFaults
import TondoRender

// `tondo-render` with planted faults, which a photo asks for. `RenderFaults list` prints them.
if CommandLine.arguments.dropFirst() == ["list"] {
    PlantedFault.printList()
    exit(0)
}
guard (2...3).contains(CommandLine.arguments.count), let memory = Int(CommandLine.arguments[1]) else { exit(64) }
let faceModel = CommandLine.arguments.dropFirst(2).first
exit(RenderWorker.run(memory: memory, faceModel: faceModel, detour: PlantedFault.detour))
