import CLibrary

/// State shared by threads that can wait for its changes (POSIX mutex and condition variable).
@safe package final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: State) {
    self.state = state
    unsafe pthread_mutex_init(mutex, nil)
    unsafe Platform.initialize(changed)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the state, and wakes all waiting threads.
  package func update<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Runs `body` with exclusive access after each change, until it returns a value.
  package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = attempt(body) { return result }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }

  /// Like `wait`, but returns nil once the time has passed.
  package func wait<Result>(atMost timeout: Duration, _ body: (inout State) -> Result?) -> Result? {
    let deadline = ContinuousClock.now + timeout
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = attempt(body) { return result }
      let rest = deadline - ContinuousClock.now
      guard rest > .zero else { return nil }
      unsafe Platform.wait(for: changed, mutex, atMost: rest)
    }
  }

  /// Runs `body` under the lock, and wakes all waiting threads if it returns a value.
  private func attempt<Result>(_ body: (inout State) -> Result?) -> Result? {
    guard let result = body(&state) else { return nil }
    unsafe pthread_cond_broadcast(changed)
    return result
  }
}
