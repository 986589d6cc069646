internal import Foundation
internal import OstiaryCore

extension DocumentNode {
  /// The members that say what an action or move does.
  private static let work: Set<String> = [
    "kind", "flow", "screen", "url", "fields", "trigger", "provider", "permission", "onSuccess", "onFailure",
  ]

  func action() -> Experience.Action? {
    guard let object = object(Self.work.union(["id", "label", "style"])) else { return nil }
    let id = object.required("id")?.name()
    let label = object.text("label")
    let style = object.member("style")?.choice(Experience.Action.Style.self) ?? .primary
    guard let work = work(in: object) else { return nil }
    return Experience.Action(id: id ?? "", label: label, style: style, work: work)
  }

  private func work(in object: DocumentObject) -> Experience.Action.Work? {
    guard let kind = object.required("kind")?.name() else { return nil }
    let onSuccess = object.member("onSuccess")?.move()
    let onFailure = object.member("onFailure")?.move()
    switch kind {
    case "submitFields":
      object.member("onFailure")?.problem(.contradiction, "Submitted fields have no action for failure.")
      return .submitFields(object.member("fields")?.names(), onSuccess: onSuccess)
    case "trigger":
      for name in ["onSuccess", "onFailure"] {
        object.member(name)?.problem(.contradiction, "What follows stands with the trigger itself.")
      }
      return object.required("trigger")?.name().map { .trigger($0) }
    case "provider": return object.required("provider")?.name().map { .provider($0) }
    case "requestPermission":
      return object.required("permission")?.name()
        .map { .requestPermission($0, onSuccess: onSuccess, onFailure: onFailure) }
    default:
      guard Self.moves.contains(kind) else {
        object.member("kind")?.notice("This kind of action is not known; it is not drawn.")
        return .unknown(kind)
      }
      return move(kind, object).map { .move($0) }
    }
  }

  private func notice(_ message: String) {
    log.notice(ExperienceProblem(path: path, code: .unknownMember, message: message))
  }

  private func names() -> [String]? {
    elements(atLeast: 1)?.compactMap { $0.name() }
  }

  private static let moves: Set<String> = [
    "next", "submit", "back", "skipScreen", "skip", "dismiss", "goToFlow", "goToScreen", "openURL",
  ]

  func move() -> Experience.Move? {
    guard let object = object(["kind", "flow", "screen", "url"]), let kind = object.required("kind")?.string() else {
      return nil
    }
    guard Self.moves.contains(kind) else {
      object.member("kind")?
        .problem(.badValue, "One of \(Self.moves.sorted().joined(separator: ", ")) belongs here.")
      return nil
    }
    return move(kind, object)
  }

  private func move(_ kind: String, _ object: DocumentObject) -> Experience.Move? {
    switch kind {
    case "next": .next
    case "submit": .submit
    case "back": .back
    case "skipScreen": .skipScreen
    case "skip": .skip
    case "dismiss": .dismiss
    case "goToFlow": object.required("flow")?.name().map { .goToFlow($0) }
    case "goToScreen": object.required("screen")?.name().map { .goToScreen($0) }
    default: object.required("url")?.url().map { .openURL($0) }
    }
  }

  /// An address that an app may be asked to open. Schemes that run or read something are not among them.
  private func url() -> URL? {
    guard let text = string(upTo: 2_048) else { return nil }
    let refused: Set<String> = ["javascript", "data", "file", "blob", "vbscript", "about", "filesystem", "view-source"]
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), !refused.contains(scheme),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      scheme != "http" && scheme != "https" || url.host().map({ !$0.isEmpty }) ?? false
    else {
      problem(.badValue, "An absolute address belongs here, such as https://example.com/terms.")
      return nil
    }
    return url
  }
}
