internal import Foundation
internal import OstiaryCore

extension RunnerMachine {
  /// What is in a field now, or would be when its screen is shown.
  func text(of field: Experience.Field, at place: Place) -> String? {
    if let entry = entries[FieldPlace(place: place, key: field.key)] { return entry.reveal }
    return visited.contains(place) ? nil : initialText(of: field)
  }

  /// The value of a field of the flow: see ``holder(ofKey:near:)``.
  func value(ofKey key: String, near place: Place) -> FieldValue? {
    guard let (other, field) = holder(ofKey: key, near: place) else { return nil }
    return field.value(of: text(of: field, at: other), wording.numbers)
  }

  /// The field of the flow with a key: on this screen, or on the last one before it, or on any.
  func holder(ofKey key: String, near place: Place) -> (place: Place, field: Experience.Field)? {
    let indices = flow(at: place).screens.indices
    let order = [place.screen] + indices.filter { $0 < place.screen }.reversed() + indices.filter { $0 > place.screen }
    for index in order {
      let other = Place(flow: place.flow, screen: index)
      if let field = screen(at: other).field(key) { return (other, field) }
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

  /// The properties that were there, and that the user has cleared in a field of the flow.
  var clearedProperties: Set<String> {
    let kept = flowProperties
    return Set(flow.fields.filter { !$0.isSecure }.map(\.property)).filter { name in
      entered[name] == .string("") && kept[name] == nil && properties[name] != nil
    }
  }

  private var flowFields: [(Place, Experience.Field, FieldValue)] {
    var fields: [(Place, Experience.Field, FieldValue)] = []
    let places = flow.screens.indices.map { Place(flow: place.flow, screen: $0) }
    // Screens that were not seen come first, so that they override nothing.
    for place in places.filter({ !visited.contains($0) }) + places.filter({ visited.contains($0) }) {
      for field in screen(at: place).fields {
        fields.append((place, field, field.check(text(of: field, at: place), wording.numbers).value))
      }
    }
    return fields
  }

  /// What was entered so far, into any flow, and what stood in the fields of the screens that were seen. Of one key in
  /// several flows the newest entry counts, and what was filled in beforehand in this flow before that in others.
  var fieldsSoFar: [String: FieldValue] {
    var values: [String: (order: Int, value: FieldValue)] = [:]
    let others = experience.flows.indices.filter { $0 != place.flow }
    for flow in others + [place.flow] {
      for index in self.flow(at: Place(flow: flow, screen: 0)).screens.indices {
        let place = Place(flow: flow, screen: index)
        guard visited.contains(place) else { continue }
        for field in screen(at: place).fields {
          let entry = entries[FieldPlace(place: place, key: field.key)]
          let text = entry?.reveal ?? ""
          // A toggle is on or off, touched or not; a page sends it in any case.
          guard !text.isEmpty || field.kind.known == .toggle else { continue }
          let order = entry?.order ?? 0
          if let other = values[field.key], other.order > order { continue }
          values[field.key] = (order, field.check(text, wording.numbers).value)
        }
      }
    }
    return values.mapValues(\.value)
  }

  /// A property for the texts: what was just entered for it, or the user's.
  func property(_ name: String) -> JSONValue? {
    guard let entered = entered[name] else { return properties[name] }
    return entered == .string("") ? nil : entered
  }
}
