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
    defer { unlockAndWake() }
    return body(&state)
  }

  /// Runs `body` with exclusive access, at once and after each change, until `body` returns a value. Then wakes all
  /// waiting threads if `shouldWake` returns true for the state.
  package func wait<Result>(
    wakingIf shouldWake: (State) -> Bool = { _ in true }, _ body: (inout State) -> Result?
  ) -> Result {
    unsafe pthread_mutex_lock(mutex)
    while true {
      if let result = body(&state) {
        if shouldWake(state) { unlockAndWake() } else { unsafe pthread_mutex_unlock(mutex) }
        return result
      }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }

  /// Like `wait`, but returns nil once the time has passed.
  package func wait<Result>(atMost timeout: Duration, _ body: (inout State) -> Result?) -> Result? {
    let deadline = ContinuousClock.now + timeout
    unsafe pthread_mutex_lock(mutex)
    while true {
      if let result = body(&state) {
        unlockAndWake()
        return result
      }
      let rest = deadline - ContinuousClock.now
      guard rest > .zero else {
        unsafe pthread_mutex_unlock(mutex)
        return nil
      }
      unsafe Platform.wait(for: changed, mutex, atMost: rest)
    }
  }

  /// Unlocks the mutex before it wakes the waiting threads, because each of them needs the mutex to continue.
  private func unlockAndWake() {
    unsafe pthread_mutex_unlock(mutex)
    unsafe pthread_cond_broadcast(changed)
  }
}
