import Support
import Testing

@testable import ZipArchive

@Suite struct CRC32Tests {
  @Test func `the checksum is the check value, for any split of the bytes`() {
    let bytes = Array("123456789".utf8)
    #expect(CRC32.checksum(bytes) == 0xCBF4_3926)
    for cut in 0...bytes.count {
      var checksum = CRC32()
      for part in [bytes[..<cut], [], bytes[cut...], []] {
        checksum.update(unsafe Array(part).borrowedSpan.bytes)
      }
      #expect(checksum.value == 0xCBF4_3926)
    }
  }
}
