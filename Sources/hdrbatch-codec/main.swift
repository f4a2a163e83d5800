import CodecProcess
import CodecService

// Started by hdrbatch, not by users.
runCodecProcess(programArguments, UsualHooks())
