public import Foundation
public import HTTPTypes
public import OstiaryCore

/// Where events go, and how.
public struct EventConfiguration: Sendable {
  /// The address that takes batches; `nil` keeps events on the device, up to the limits.
  public var address: URL?
  /// Fields that every batch carries, such as the app's key.
  public var headerFields: HTTPFields
  /// How many events are sent at once. 50.
  public var batchCount = 50
  /// How large a batch may be, in bytes; one event alone may be larger. 256 KiB.
  public var batchSize = 256 * 1024
  /// How long an event waits for others to go with it. 10 seconds.
  public var interval: Duration = .seconds(10)
  /// How many events are kept; the oldest give way to new ones. 1,000.
  public var capacity = 1000
  /// How large all events that are kept may be together, in bytes. 1 MiB.
  public var capacitySize = 1 << 20
  /// How an event's parameters are limited; what exceeds it is left out.
  public var limits = PropertyLimits()
  /// How attempts are spaced.
  public var retry = RetryPolicy(base: .seconds(1))
  /// How long one batch may take. 30 seconds.
  public var timeout: Duration = .seconds(30)
  /// What tells who a person is, and is left out on request.
  public var personal = PersonalData.usual

  /// How many changes of the queue are kept while the store can't be read or written. Any capacity may be set, also the
  /// largest number.
  var mostChanges: Int { min(max(capacity, 1), 1 << 30) * 2 }

  /// Makes a configuration.
  public init(address: URL? = nil, headerFields: HTTPFields = [:]) {
    self.address = address
    self.headerFields = headerFields
  }
}
