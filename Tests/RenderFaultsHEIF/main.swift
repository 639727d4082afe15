import Glibc
import PlantedFaults
import TondoHEIF
import TondoRender

// `tondo-render-heif` with planted faults, which a photo asks for.
guard (2...3).contains(CommandLine.arguments.count), let memory = Int(CommandLine.arguments[1]) else { exit(64) }
guard HEIFDecoder.prepare() else { exit(70) }
let faceModel = CommandLine.arguments.dropFirst(2).first
exit(
    RenderWorker.run(
        memory: memory, faceModel: faceModel, linked: HEIFDecoder.decoder, detour: PlantedFault.detour))
