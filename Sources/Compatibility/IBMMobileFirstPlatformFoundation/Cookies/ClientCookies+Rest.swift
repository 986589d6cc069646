internal import Foundation
internal import Ostiary

/// How a client's cookies and those at rest stay the same, though other processes write there, too.
extension ClientCookies {
  /// The entry in which they rest.
  nonisolated var restingKey: SessionKey? { rest?.key }

  /// Brings back what is at rest, once.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when it can't be read now. The next call tries again.
  func wake(_ now: Date) async throws {
    guard let rest, !isAwake, !isDropped else { return }
    let work = reading ?? SharedWork()
    if reading == nil { work.launch { try await rest.load() } }
    reading = work
    let read = await work.outcome
    // Several may have waited; the first one makes room for the next attempt.
    if case .failure = read, reading === work { reading = nil }
    let content = try read.get()
    guard !isAwake, !isDropped else { return }
    resting = content
    change(at: now) { $0.merge(content.jar, now: now) }
    wakeUp()
  }

  /// Writes what is owed to where the cookies rest.
  nonisolated func writeOwed(_ now: Date) async {
    if isOwed { await write(now) }
  }

  /// Writes the jar of the moment to where it rests. What can't be written is kept, and written before the next exchange.
  func write(_ now: Date) async {
    guard rest != nil else { return }
    await changeRest { await $0.persist(now) }
  }

  /// Changes what is at rest after every change before, and to its end where the calling task is cancelled.
  private func changeRest(_ body: @escaping @Sendable (isolated ClientCookies) async -> Void) async {
    let work = SharedWork<Void>()
    work.launch { [self] in await writes.run { await body(self) } }
    _ = await work.outcome
  }

  private func persist(_ now: Date) async {
    guard let rest, isAwake else { return }
    // Each conflict is another process's write.
    for _ in 0..<100 where !isDropped {
      let (jar, changes) = owed()
      do {
        resting = try await rest.save(jar, replacing: resting)
        isWritten(changes)
        return
      } catch let error as OstiaryError where error.code == .storeConflict {
        guard let content = try? await rest.load() else { return }
        absorb(content, now)
      } catch {
        return
      }
    }
  }

  /// Takes over what another process has changed at rest since it was last read here.
  ///
  /// Where both have changed a cookie, this process's word is the later one. But a deletion is about the session that was
  /// deleted: it takes no cookie with another value along.
  private func absorb(_ content: CookieRest.Content, _ now: Date) {
    let base = resting.jar.byPlace
    let theirs = content.jar.byPlace
    let ours = jar.byPlace
    resting = content
    change(at: now) { jar in
      for (place, cookie) in theirs where base[place].map(CookieMark.init) != CookieMark(cookie) {
        let isOurs =
          if let own = ours[place] {
            base[place].map(CookieMark.init) != CookieMark(own)
          } else {
            base[place]?.value == cookie.value
          }
        if !isOurs { jar.insert(cookie, now: now) }
      }
      for (place, cookie) in base where theirs[place] == nil && ours[place]?.value == cookie.value {
        jar.removeAll { CookiePlace($0) == place }
      }
    }
  }

  /// Drops everything, also what is at rest, for good. It may be called again when it has failed.
  /// - Returns: Whether nothing is at rest any more.
  @discardableResult
  func drop() async -> Bool {
    if !isDropped {
      isDropped = true
      change(at: .distantPast) { $0 = CookieJar() }
    }
    guard let rest, !isForgotten else { return true }
    await changeRest { cookies in
      guard !cookies.isForgotten else { return }
      cookies.isForgotten = (try? await rest.removeAll()) != nil
    }
    return isForgotten
  }
}

extension CookieJar {
  /// The cookies by the places that they take.
  var byPlace: [CookiePlace: Cookie] {
    Dictionary(cookies.map { (CookiePlace($0), $0) }) { $1 }
  }
}
