/// Compiled Python modules (`.pyc`).
enum PythonBytecode {
  /// Recognizes the magic number of a Python version, followed by a header and a marshalled code object.
  ///
  /// The header is 16 bytes since 3.7 (PEP 552), 12 since 3.3, and 8 before.
  static func recognize(_ head: Span<UInt8>) -> Recognition? {
    guard let number = head.uint16(at: 0, .little), head.has("\r\n", at: 2) else { return nil }
    let isOld = sixteenBitNumbers.contains(number)
    guard isOld || numbers.contains(number) || numbersSince311.contains(number) else { return nil }
    let hasCode = [8, 12, 16].contains { position in
      isCode(head, at: position, widthOfNumbers: isOld ? 2 : 4)
    }
    return hasCode ? .code("Python bytecode") : nil
  }

  /// Returns whether a code object begins at a position (CPython's marshal.c: TYPE_CODE, with or without FLAG_REF). A
  /// code object starts with the counts of its arguments and locals. A module has none, and no function has many.
  private static func isCode(_ head: Span<UInt8>, at position: Int, widthOfNumbers width: Int) -> Bool {
    guard position < head.count, head[position] & 0x7F == UInt8(ascii: "c") else { return false }
    return (0...1).allSatisfy { index in
      guard let number = head.number(at: position + 1 + index * width, bytes: width, .little) else {
        return false
      }
      return number < 256
    }
  }

  /// The magic numbers of Python 1.5, 1.6, 2.0, 2.1 and 2.2, whose code objects have 16-bit numbers.
  private static let sixteenBitNumbers: Set<Int> = [20121, 50428, 50823, 60202, 60717]

  /// The magic numbers before 3.11 in CPython's pycore_magic_number.h, and the magic numbers of PyPy
  /// (pypy/interpreter/pycode.py), which are small multiples of 16.
  private static let numbers: Set<Int> = [
    // 2.3 to 2.7
    62011, 62021, 62041, 62051, 62061, 62071, 62081, 62091, 62092, 62101, 62111, 62121, 62131, 62151, 62161,
    62171,
    62181, 62191, 62201, 62211, 62218,
    // 3.0 to 3.2
    3000, 3010, 3020, 3030, 3040, 3050, 3060, 3061, 3071, 3081, 3091, 3101, 3102, 3103, 3111, 3131, 3141,
    3151, 3160,
    3170, 3180,
    // 3.3 to 3.6
    3190, 3200, 3210, 3220, 3230, 3250, 3260, 3270, 3280, 3290, 3300, 3310, 3320, 3330, 3340, 3350, 3351,
    3360, 3361,
    3370, 3371, 3372, 3373, 3375, 3376, 3377, 3378, 3379,
    // 3.7 to 3.10
    3390, 3391, 3392, 3393, 3394, 3400, 3401, 3410, 3411, 3412, 3413, 3420, 3421, 3422, 3423, 3424, 3425,
    3430, 3431,
    3432, 3433, 3434, 3435, 3436, 3437, 3438, 3439,
    // PyPy
    48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 272, 288, 304, 320, 336, 352, 368, 384,
    400, 416,
  ]

  /// The magic numbers since 3.11. Each version has a block of fifty numbers, most of which its development uses up.
  private static let numbersSince311 = 3450...3999
}
