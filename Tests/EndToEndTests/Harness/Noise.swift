/// Bytes that do not compress.
enum Noise {
  static func bytes(_ count: Int) -> [UInt8] {
    (0..<count / 8).flatMap { _ in
      let number = UInt64.random(in: .min ... .max)
      return stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
  }
}
