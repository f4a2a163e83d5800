import Measure
import Testing

/// Versions of packages, from Debian's list and from a bundle's.
@Suite struct PackageVersionTests {
  @Test("the version of a library's package is found whatever its interface is called, and no other package's")
  func packages() {
    let status = PackageVersions(
      dpkgStatus: """
        Package: libpng-dev
        Status: install ok installed
        Version: 9

        Package: libpng16-16t64
        Status: install ok installed
        Architecture: amd64
        Version: 1.6.39-2+deb12u6

        Package: libheif1
        Status: deinstall ok config-files
        Version: 1.15.1-1

        Package: libheif-examples
        Status: install ok installed
        Version: 8
        Description: Version: 7

        Package: libraw20
        Status: install ok installed
        Version: 0.20.2-2.1+deb12u2
        """)
    #expect(status["libpng"] == "1.6.39-2+deb12u6" && status["LibRaw"] == "0.20.2-2.1+deb12u2")
    #expect(status["LibRaw", "0.20.2-Release"] == status["LibRaw"] && status["LibRaw", "0.21.4-Release"] == nil)
    #expect(status["libheif"] == nil && status["libtiff"] == nil && status["no library"] == nil)
    let bundle = PackageVersions(
      components: """
        # What is in this bundle: file, package, its version,
        bin/hdrbatch       hdrbatch     0.9              -                        licences/hdrbatch.txt
        lib/libpng16.so.16 libpng16-16  1.6.39-2+deb12u4 libpng1.6_1.6.39-2       licences/libpng16-16.txt
        lib/libhdrbatch-jxl.so libjxl   0.11.1           jpeg-xl_0.11.1           licences/libhdrbatch-jxl.txt
        """)
    #expect(bundle["libpng"] == "1.6.39-2+deb12u4" && bundle["libjxl"] == "0.11.1" && bundle["libaom"] == nil)
  }
}
