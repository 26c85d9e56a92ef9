// The differences between systems in threads, terminals and signals; `Platform+Files.swift` of SafeFiles covers files.
// The Linux branches are tested. The Darwin branches follow Apple's manual pages and are untested.

import CLibrary

#if !canImport(Darwin)
import CLinux
#endif

/// The operating system calls that differ between Linux and Darwin.
package enum Platform {
  /// Starts a thread that runs `body` and inherits `ProcessContext.current`; returns nil if the system provides no
  /// thread.
  static func startThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let context = ProcessContext.current
    let box = unsafe Unmanaged.passRetained(
      ThreadBody { ProcessContext.$current.withValue(context, operation: body) })
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    let code = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        #if !canImport(Darwin)
        guard let argument = unsafe argument else { return nil }
        #endif
        unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      return nil
    }
    return thread
  }

  /// Opens the root directory on each closed descriptor from 0 to 2; writing to it always fails.
  static func reserveStandardStreams() {
    for number: CInt in 0...2 where fcntl(number, F_GETFD) == -1 {
      _ = unsafe open("/", O_RDONLY | O_DIRECTORY)
    }
  }

  /// Makes malloc return allocations of 1 MiB or more to the system when they are freed (mallopt(3)). By default, glibc
  /// raises this threshold to the size of the largest freed allocation. Also limits malloc to four arenas, each with
  /// 64 MiB of address space. Must be called once, before any other function.
  package static func releaseLargeArrays() {
    #if canImport(Glibc)
    mallopt(IAPKG_M_MMAP_THRESHOLD, 1 << 20)
    mallopt(IAPKG_M_TRIM_THRESHOLD, 1 << 20)
    mallopt(IAPKG_M_ARENA_MAX, CInt(max(2, min(processorCount, 4))))
    #endif
  }

  static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

  /// Returns the columns of a terminal (`TIOCGWINSZ`); nil if it is not a terminal or does not report them.
  static func columns(_ descriptor: CInt) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The number of processors that the process may use, at least 1.
  static var processorCount: Int {
    #if !canImport(Darwin)
    var mask = [UInt64](repeating: 0, count: 128)  // one bit for each of 8,192 processors
    let isKnown = unsafe mask.withUnsafeMutableBytes {
      unsafe sched_getaffinity(0, $0.count, $0.baseAddress) == 0
    }
    if isKnown { return max(1, mask.reduce(0) { $0 + $1.nonzeroBitCount }) }
    #endif
    return max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
  }

  /// Whether libdispatch can observe its threads, on Linux through `/proc/self/task`. If it cannot, libdispatch
  /// may end the process at any time.
  package static var canObserveThreads: Bool {
    #if canImport(Darwin)
    true
    #else
    unsafe access("/proc/self/task", R_OK | X_OK) == 0
    #endif
  }

  /// Waits for a signal of `awaited`, all of which must be blocked.
  static func waitForSignal(_ awaited: sigset_t) -> CInt {
    var awaited = awaited
    var number: CInt = 0
    while unsafe sigwait(&awaited, &number) != 0 {}
    return number
  }

  /// Waits for a signal of `awaited`, at most `timeout`; returns nil if none arrives.
  static func waitForSignal(_ awaited: sigset_t, atMost timeout: Duration) -> CInt? {
    let (seconds, attoseconds) = timeout.components
    var time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    #if canImport(Darwin)
    unsafe nanosleep(&time, nil)
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return (1..<NSIG).first { number in
      unsafe withUnsafePointer(to: awaited) { unsafe sigismember($0, number) } == 1
        && unsafe sigismember(&pending, number) == 1
    }
    #else
    var awaited = awaited
    let number = unsafe sigtimedwait(&awaited, nil, &time)
    return number > 0 ? number : nil
    #endif
  }

  /// Waits until a thread has ended.
  static func join(_ thread: pthread_t) { pthread_join(thread, nil) }

  /// Creates a condition variable whose timed waits use the monotonic clock.
  @unsafe static func initialize(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
    #if canImport(Darwin)
    unsafe pthread_cond_init(condition, nil)
    #else
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  /// Waits for a condition variable created by `initialize`, at most `timeout`; may wake spuriously.
  @unsafe static func wait(
    for condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
    atMost timeout: Duration
  ) {
    let (seconds, attoseconds) = timeout.components
    var time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    #if canImport(Darwin)
    unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    time.tv_sec += now.tv_sec
    time.tv_nsec += now.tv_nsec
    if time.tv_nsec >= nanosecondsPerSecond {
      time.tv_sec += 1
      time.tv_nsec -= nanosecondsPerSecond
    }
    unsafe pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  private static let nanosecondsPerSecond = 1_000_000_000

  /// A locale with UTF-8 as its character set and the conventions of no language.
  static var utf8LocaleName: String {
    #if canImport(Darwin)
    return "UTF-8"
    #else
    return "C.UTF-8"
    #endif
  }

  /// The limit of the address space in bytes (`ulimit -v`); nil without a limit.
  package static var addressSpaceLimit: UInt64? {
    var limit = rlimit()
    guard unsafe getrlimit(resource(RLIMIT_AS), &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
    return UInt64(limit.rlim_cur)
  }

  /// Raises the limit of open files (`ulimit -n`) as far as the system permits, at most to `maximum`.
  ///
  /// - Returns: The limit; nil if the system does not report it.
  package static func raiseDescriptorLimit(to maximum: Int) -> Int? {
    var limit = rlimit()
    guard unsafe getrlimit(resource(RLIMIT_NOFILE), &limit) == 0 else { return nil }
    let present = limit.rlim_cur
    limit.rlim_cur = max(present, min(limit.rlim_max, rlim_t(maximum)))
    let isRaised = unsafe setrlimit(resource(RLIMIT_NOFILE), &limit) == 0
    return Int(clamping: isRaised ? limit.rlim_cur : present)
  }

  #if canImport(Glibc)
  private static func resource(_ number: __rlimit_resource) -> __rlimit_resource_t {
    __rlimit_resource_t(number.rawValue)
  }
  #else
  private static func resource(_ number: CInt) -> CInt { number }
  #endif

  /// Returns whether a signal action is `SIG_IGN`.
  static func ignores(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
    let handler = unsafe action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
    let handler = unsafe action.__sa_handler.sa_handler
    #else
    let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// The argument of a new thread.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
