internal import Foundation
internal import OstiaryCore

extension RunnerMachine {
  /// What is in a field now, or would be when its screen is shown.
  func text(of field: Experience.Field, at place: Place) -> String? {
    if let entry = entries[FieldPlace(place: place, key: field.key)] { return entry.reveal }
    return visited.contains(place) ? nil : initialText(of: field)
  }

  /// What is in a field of the flow: on this screen, or on the last one before it, or on any.
  func text(ofKey key: String, near place: Place) -> String? {
    let indices = flow(at: place).screens.indices
    let order = [place.screen] + indices.filter { $0 < place.screen }.reversed() + indices.filter { $0 > place.screen }
    for index in order {
      let other = Place(flow: place.flow, screen: index)
      if let field = screen(at: other).field(key) { return text(of: field, at: other) }
    }
    return nil
  }

  func values(of fields: [Experience.Field], at place: Place) -> [String: FieldValue] {
    var values: [String: FieldValue] = [:]
    for field in fields { values[field.key] = field.check(text(of: field, at: place), wording.numbers).value }
    return values
  }

  /// The values of all screens of the flow. Of one key on several, the last screen that the user has seen counts.
  var flowValues: [String: FieldValue] {
    var values: [String: FieldValue] = [:]
    for (_, field, value) in flowFields { values[field.key] = value }
    return values
  }

  /// What the flow's fields become as user properties: those that are not secure and not empty.
  var flowProperties: [String: JSONValue] {
    var properties: [String: JSONValue] = [:]
    let secure = Set(flow.fields.filter(\.isSecure).map(\.property))
    for (_, field, value) in flowFields where !field.isSecure && !secure.contains(field.property) {
      properties[field.property] = value.property ?? properties[field.property]
    }
    return properties
  }

  private var flowFields: [(Place, Experience.Field, FieldValue)] {
    var fields: [(Place, Experience.Field, FieldValue)] = []
    var seen: Set<String> = []
    let places = flow.screens.indices.map { Place(flow: place.flow, screen: $0) }
    // Screens that were not seen come first, so that they override nothing.
    for place in places.filter({ !visited.contains($0) }) + places.filter({ visited.contains($0) }) {
      for field in screen(at: place).fields {
        seen.insert(field.key)
        fields.append((place, field, field.check(text(of: field, at: place), wording.numbers).value))
      }
    }
    return fields
  }

  /// What was entered into the flow so far, and what stood in the fields of the screens that were seen.
  var fieldsSoFar: [String: FieldValue] {
    var values: [String: FieldValue] = [:]
    for index in flow.screens.indices {
      let other = Place(flow: place.flow, screen: index)
      guard visited.contains(other) else { continue }
      for field in flow.screens[index].fields {
        let entry = entries[FieldPlace(place: other, key: field.key)]?.reveal ?? ""
        // A toggle is on or off, touched or not; a page sends it in any case.
        guard !entry.isEmpty || field.kind.known == .toggle else { continue }
        values[field.key] = field.check(entry, wording.numbers).value
      }
    }
    return values
  }

  /// A property for the texts: what was just entered for it, or the user's.
  func property(_ name: String) -> JSONValue? {
    entered[name].flatMap { $0.isEmpty ? nil : .string($0) } ?? properties[name]
  }
}
