import CodecProcess
import CodecService

// hdrbatch-codec, but for its hooks.
runCodecProcess(programArguments, HostileHooks(programArguments))
