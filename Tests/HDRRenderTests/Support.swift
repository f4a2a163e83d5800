import HDRRender

/// The CPU, opened once for all tests.
let cpu = Result { () throws(HDRError) in try HDRRenderer(backend: .cpu) }
