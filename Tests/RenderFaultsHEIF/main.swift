import Glibc
import PlantedFaults
import TondoHEIF
import TondoRender

// `tondo-render-heif` with planted faults, which a photo asks for.
guard CommandLine.arguments.count == 2, let memory = Int(CommandLine.arguments[1]) else { exit(64) }
guard HEIFDecoder.prepare() else { exit(70) }
exit(RenderWorker.run(memory: memory, linked: HEIFDecoder.decoder, detour: PlantedFault.detour))
