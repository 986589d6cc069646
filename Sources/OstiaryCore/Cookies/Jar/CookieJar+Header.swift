public import Foundation
public import HTTPTypes

extension CookieJar {
  /// The value of the `Cookie` field for `request`, or `nil` when no cookie belongs to it (RFC 6265bis §5.8.3).
  ///
  /// Cookies with the longest path come first, then those set first; names and values are the server's own bytes.
  /// `Secure` cookies go to https only. This is on the way of every request, so it reads bytes in place and allocates
  /// only its result.
  public func header(for request: HTTPRequest, now: Date) -> String? {
    header(for: request, at: Moment(wall: now), isProof: { _ in false })
  }

  /// The same at a moment by two clocks. A cookie that is proof is not withheld because of a wall clock; see
  /// ``Cookie/isOver(at:isProof:)``.
  /// - Parameter isProof: whether a cookie of a name carries the session. Asked only about cookies that are over by the
  ///   wall clock alone.
  package func header(
    for request: HTTPRequest, at moment: Moment, isProof: (String) -> Bool = { _ in true }
  ) -> String? {
    guard !buckets.isEmpty else { return nil }
    return CookieTarget.with(request, trustsLoopback: insecurelySendsSecureCookiesToLoopback) { target in
      withMatches(target, at: moment, isProof: isProof) { matches in
        matches.isEmpty ? nil : serialized(matches)
      } ?? nil
    }
  }

  /// Where a cookie is: its bucket and its place in it.
  struct Match {
    let bucket: Int
    let entry: Int
  }

  /// Runs `body` with the cookies that belong to a request, in the order in which they are sent.
  @inline(__always)
  func withMatches<Result>(
    _ target: CookieTarget, at moment: Moment, isProof: (String) -> Bool,
    _ body: (UnsafeMutableBufferPointer<Match>) -> Result
  ) -> Result {
    var candidates = 0
    forEachBucket(of: target.host, isAddress: target.isAddress) { bucket, _ in
      candidates += buckets[bucket].entries.count
    }
    return withUnsafeTemporaryAllocation(of: Match.self, capacity: candidates) { matches in
      var count = 0
      var contributors = 0
      forEachBucket(of: target.host, isAddress: target.isAddress) { bucket, isExact in
        let before = count
        buckets[bucket].entries.withUnsafeBufferPointer { entries in
          for index in entries.indices
          where entries[index].isSent(to: target, isExact: isExact, at: moment, isProof: isProof) {
            matches[count] = Match(bucket: bucket, entry: index)
            count += 1
          }
        }
        contributors += count > before ? 1 : 0
      }
      let found = UnsafeMutableBufferPointer(rebasing: matches[..<count])
      // A bucket is in order already; only cookies of several domains have to be merged.
      if contributors > 1 {
        var sorted = found
        sorted.sort { buckets[$0.bucket].entries[$0.entry].isSent(before: buckets[$1.bucket].entries[$1.entry]) }
      }
      return body(found)
    }
  }

  /// Calls `body` with the bucket of the host itself (`true`), then with those of its parent domains (`false`).
  @inline(__always)
  func forEachBucket(of host: UnsafeBufferPointer<UInt8>, isAddress: Bool, _ body: (Int, Bool) -> Void) {
    if let bucket = bucket(of: host[...]) { body(bucket, true) }
    if isAddress { return }
    for index in host.indices where host[index] == UInt8(ascii: ".") {
      if let bucket = bucket(of: host[(index + 1)...]) { body(bucket, false) }
    }
  }

  /// The bucket of a domain written in any case, by binary search.
  func bucket(of domain: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let position = firstBucket(notBefore: domain)
    guard position < buckets.count else { return nil }
    return buckets[position].domain.withUnsafeBufferPointer { Self.order($0, domain) == 0 } ? position : nil
  }

  /// Where a domain's bucket is, or would have to be inserted.
  func firstBucket(notBefore domain: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    buckets.withUnsafeBufferPointer { buckets in
      var low = 0
      var high = buckets.count
      while low < high {
        let middle = low + (high - low) / 2
        if buckets[middle].domain.withUnsafeBufferPointer({ Self.order($0, domain) < 0 }) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low
    }
  }

  /// Negative, zero or positive: how a stored domain and one as written compare. Shorter ones come first, as that is
  /// cheapest to see.
  @inline(__always)
  private static func order(_ stored: UnsafeBufferPointer<UInt8>, _ written: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    if stored.count != written.count { return stored.count < written.count ? -1 : 1 }
    for (left, right) in zip(stored, written) {
      let right = ASCII.lowercased(right)
      if left != right { return left < right ? -1 : 1 }
    }
    return 0
  }

  /// Writes `name=value; name=value` (RFC 6265bis §5.8.3 step 4) into a string of just that size.
  private func serialized(_ matches: UnsafeMutableBufferPointer<Match>) -> String {
    var size = max(0, 2 * (matches.count - 1))
    for match in matches {
      buckets[match.bucket].entries.withUnsafeBufferPointer { size += $0[match.entry].cookie.serializedSize }
    }
    return String(unsafeUninitializedCapacity: size) { buffer in
      var writer = ByteWriter(buffer)
      for (index, match) in matches.enumerated() {
        if index > 0 {
          writer.append(UInt8(ascii: ";"))
          writer.append(UInt8(ascii: " "))
        }
        buckets[match.bucket].entries.withUnsafeBufferPointer { entries in
          if !entries[match.entry].cookie.name.isEmpty {
            writer.append(entries[match.entry].cookie.name)
            writer.append(UInt8(ascii: "="))
          }
          writer.append(entries[match.entry].cookie.value.reveal())
        }
      }
      return writer.count
    }
  }
}

extension CookieJar.Entry {
  /// Whether this cookie belongs to a request to `target`, whose host is its domain (`isExact`) or lies below it.
  @inline(__always)
  fileprivate func isSent(
    to target: CookieTarget, isExact: Bool, at moment: Moment, isProof: (String) -> Bool
  ) -> Bool {
    (isExact || !cookie.isHostOnly) && (target.isSecure || !cookie.isSecure) && target.pathMatches(cookie.path)
      && !cookie.isOver(at: moment, isProof: isProof)
  }
}

extension Cookie {
  fileprivate var serializedSize: Int {
    (name.isEmpty ? 0 : name.utf8.count + 1) + value.reveal().utf8.count
  }
}

/// Writes bytes one after the other, never beyond the end.
private struct ByteWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
  }

  mutating func append(_ byte: UInt8) {
    guard count < buffer.count else { return }
    buffer.initializeElement(at: count, to: byte)
    count += 1
  }

  mutating func append(_ text: String) {
    let copied: Int? = text.utf8.withContiguousStorageIfAvailable { bytes in
      let room = UnsafeMutableBufferPointer(rebasing: buffer[count...])
      return room.initialize(fromContentsOf: bytes.prefix(room.count))
    }
    if let copied {
      count += copied
    } else {
      for byte in text.utf8 { append(byte) }
    }
  }
}
