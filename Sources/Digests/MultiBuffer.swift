#if canImport(CIPSecMB)
  import CIPSecMB

  /// Intel's multi-buffer library, which takes up to 16 SHA-256s at once on x86-64; owns one of its managers.
  ///
  /// That is nine times as fast as one after the other on a processor with AVX-512 and without SHA instructions.
  @safe struct MultiBuffer: ~Copyable {
    /// Bytes of a digest.
    private static let digestSize = 32

    private let manager: UnsafeMutablePointer<IMB_MGR>
    private let output: UnsafeMutablePointer<UInt8>

    /// Nil if the library finds nothing on this processor that it can use, or no memory.
    init?() {
      guard let manager = unsafe alloc_mb_mgr(0) else { return nil }
      unsafe init_mb_mgr_auto(manager, nil)
      guard unsafe imb_get_errno(manager) == 0 else {
        unsafe free_mb_mgr(manager)
        return nil
      }
      unsafe self.manager = unsafe manager
      unsafe output = .allocate(capacity: BlockHasher.batch * Self.digestSize)
    }

    deinit {
      unsafe free_mb_mgr(manager)
      unsafe output.deallocate()
    }

    /// The digests of the blocks of `bytes`, of which there are at most `BlockHasher.batch`: `blockSize` bytes each, and
    /// the last what is left.
    ///
    /// - Returns: bytes that stay as they are until the next call; nil if the library did not do all of them.
    func digests(of bytes: UnsafeRawBufferPointer, blockSize: Int) -> UnsafeRawBufferPointer? {
      var count = 0
      var done = 0
      for start in stride(from: 0, to: bytes.count, by: blockSize) {
        guard let job = unsafe manager.pointee.get_next_job(manager) else { break }
        unsafe job.pointee.cipher_mode = IMB_CIPHER_NULL
        unsafe job.pointee.cipher_direction = IMB_DIR_ENCRYPT
        unsafe job.pointee.chain_order = IMB_ORDER_HASH_CIPHER
        unsafe job.pointee.hash_alg = IMB_AUTH_SHA_256
        unsafe job.pointee.src = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe job.pointee.hash_start_src_offset_in_bytes = UInt64(start)
        unsafe job.pointee.msg_len_to_hash_in_bytes = UInt64(min(blockSize, bytes.count - start))
        unsafe job.pointee.auth_tag_output = unsafe output + count * Self.digestSize
        unsafe job.pointee.auth_tag_output_len_in_bytes = UInt64(Self.digestSize)
        count += 1
        if unsafe isDone(manager.pointee.submit_job(manager)) { done += 1 }
      }
      while let job = unsafe manager.pointee.flush_job(manager) { if unsafe isDone(job) { done += 1 } }
      let blocks = (bytes.count + blockSize - 1) / blockSize
      return done == blocks
        ? unsafe UnsafeRawBufferPointer(start: output, count: done * Self.digestSize) : nil
    }

    /// Whether this is a job, of those handed in before, that is through.
    private func isDone(_ job: UnsafeMutablePointer<IMB_JOB>?) -> Bool {
      unsafe job?.pointee.status == IMB_STATUS_COMPLETED
    }
  }
#else
  /// What does not exist here.
  struct MultiBuffer: ~Copyable {
    init?() { return nil }

    func digests(of _: UnsafeRawBufferPointer, blockSize _: Int) -> UnsafeRawBufferPointer? { nil }
  }
#endif
