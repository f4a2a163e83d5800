import CodecProcess
import CodecService

// hdrbatch-codec, but for its steps.
runCodecProcess(programArguments, HostileSteps(programArguments))
