import CodecProcess

// hdrbatch-codec, but for its steps.
runCodecProcess(CommandLine.arguments, HostileSteps(CommandLine.arguments))
