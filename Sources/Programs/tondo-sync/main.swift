internal import Glibc
internal import TondoSync

// Started by `tondo sync`, which hands the sources over in a file without a name.
exit(SyncProgram.run(CommandLine.arguments))
