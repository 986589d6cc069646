internal import Foundation

/// The events that have not been delivered, oldest first, within limits.
struct EventQueue: Sendable, Codable {
  /// An event and how many bytes it takes on its way.
  struct Item: Sendable, Codable {
    var event: UserEvent
    var size: Int

    init(_ event: UserEvent) {
      self.event = event
      size = EventBatch.size(of: event)
    }
  }

  private(set) var items: [Item] = []
  /// How many events have given way to newer ones, or were refused by the server, since the queue was made.
  private(set) var lost = 0
  private var size = 0

  var count: Int { items.count }
  var isEmpty: Bool { items.isEmpty }

  /// Adds an event. One that is there already is not added again.
  mutating func append(_ event: UserEvent, capacity: Int, size limit: Int) {
    guard !items.contains(where: { $0.event.id == event.id }) else { return }
    let item = Item(event)
    items.append(item)
    size += item.size
    var superfluous = max(0, items.count - max(capacity, 1))
    var freed = items.prefix(superfluous).reduce(0) { $0 + $1.size }
    // The newest stays, however large it is: its parts are limited.
    while size - freed > limit, superfluous < items.count - 1 {
      freed += items[superfluous].size
      superfluous += 1
    }
    guard superfluous > 0 else { return }
    items.removeFirst(superfluous)
    size -= freed
    lost += superfluous
  }

  /// The oldest events, as many as go at once.
  func batch(count: Int, size limit: Int) -> [Item] {
    var batch: [Item] = []
    var size = 0
    for item in items.prefix(max(count, 1)) {
      size += item.size
      if size > limit, !batch.isEmpty { break }
      batch.append(item)
    }
    return batch
  }

  /// Removes events that were delivered, or refused.
  mutating func remove(_ ids: Set<String>, wereLost: Bool = false) {
    let before = items.count
    items.removeAll { ids.contains($0.event.id) }
    size = items.reduce(0) { $0 + $1.size }
    if wereLost { lost += before - items.count }
  }

  /// Removes what tells who a person is from everything that waits.
  mutating func sanitize(_ personal: PersonalData) {
    items = items.map { Item($0.event.sanitized(personal)) }
    size = items.reduce(0) { $0 + $1.size }
  }

  /// Removes everything.
  mutating func removeAll() {
    self = EventQueue()
  }
}
