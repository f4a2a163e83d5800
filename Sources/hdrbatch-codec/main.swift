import CodecProcess

// Started by hdrbatch, not by users.
runCodecProcess(CommandLine.arguments, UsualSteps())
