import Glibc
import PlantedFaults
import TondoDrawText
import TondoRender

// `tondo-render-text` with planted faults, which letters ask for.
guard CommandLine.arguments.count == 2, let memory = Int(CommandLine.arguments[1]) else { exit(64) }
exit(RenderWorker.run(memory: memory, linked: InitialsDrawer.prepare(FontSet()), detour: PlantedFault.detour))
