internal import Foundation

/// The events that have not been delivered, oldest first, within limits.
struct EventQueue: StoredContent {
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
  /// What is left out of events because it tells who a person is; `nil` leaves nothing out. Part of the queue, so that no
  /// event is added between the decision and the cleansing; it does not rest with it.
  private var cleansing: PersonalData?

  private enum CodingKeys: CodingKey {
    case items, lost, size
  }

  var count: Int { items.count }
  var isEmpty: Bool { items.isEmpty }
  var ids: Set<String> { Set(items.map(\.event.id)) }
  var sanitizes: Bool { cleansing != nil }

  /// Adds an event, without what is personal if that is to be left out. One that is there already is not added again.
  /// - Returns: what was left out because the event would be larger than servers take.
  @discardableResult
  mutating func append(
    _ event: UserEvent, personal: PersonalData, capacity: Int, size limit: Int
  ) -> [PropertyProblem] {
    guard !items.contains(where: { $0.event.id == event.id }) else { return [] }
    var problems: [PropertyProblem] = []
    var item = Item(sanitizes ? event.sanitized(personal) : event)
    if item.size > EventRules.mostBytes, !item.event.subject.properties.isEmpty {
      problems.append(PropertyProblem(name: event.name, reason: .userProperties))
      item.event.subject.properties = UserProperties()
      item = Item(item.event)
    }
    guard item.size <= EventRules.mostBytes else {
      return problems + [PropertyProblem(name: event.name, reason: .eventSize)]
    }
    add(item, capacity: capacity, size: limit)
    return problems
  }

  private mutating func add(_ item: Item, capacity: Int, size limit: Int) {
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

  /// Sets whether what tells who a person is is left out from now on, and removes it from everything that waits.
  mutating func sanitize(_ sanitizes: Bool, _ personal: PersonalData) {
    cleansing = sanitizes ? personal : nil
    guard sanitizes else { return }
    items = items.map { Item($0.event.sanitized(personal)) }
    size = items.reduce(0) { $0 + $1.size }
  }

  /// Removes everything.
  mutating func removeAll() {
    let cleansing = cleansing
    self = EventQueue()
    self.cleansing = cleansing
  }

  mutating func takeOver(from former: EventQueue, about person: String?) {
    if let personal = former.cleansing { sanitize(true, personal) }
  }
}

extension EventQueue {
  private static let mostLost = 1 << 30

  /// Reads a stored queue. Sums are made of its numbers, so none is taken that can't be: a size is measured again.
  init(from decoder: any Decoder) throws {
    let content = try decoder.container(keyedBy: CodingKeys.self)
    items = try content.decode([Item].self, forKey: .items).map { item in
      (1...EventRules.mostBytes).contains(item.size) ? item : Item(item.event)
    }
    lost = try min(max(content.decode(Int.self, forKey: .lost), 0), Self.mostLost)
    size = items.reduce(0) { $0 + $1.size }
  }
}
