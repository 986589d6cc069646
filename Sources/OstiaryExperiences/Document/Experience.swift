internal import OstiaryCore

/// An onboarding conversation as data: flows of screens, screens of fields and actions.
///
/// It is read from JSON with ``init(json:limits:)``, which refuses a bad document with every problem and its place. The
/// format is described by the JSON schema `docs/experience.schema.json` and in the article <doc:TheDocument>. An
/// ``ExperienceRunner`` runs it; a renderer draws it.
public struct Experience: Sendable, Hashable {
  /// The format that this module reads and writes. It grows by members that older readers pass over.
  public static let format = 1

  /// Names the experience among those of one app.
  public var id: String
  /// Which edition of the experience this is; a larger number is newer.
  public var version: Int
  /// When it is meant to be shown.
  public var type: Kind
  /// Whether it is shown at each launch until a user has signed up or logged in. Otherwise it is shown once.
  public var requiresLogin: Bool
  /// The language of the texts that stand in the document itself (BCP 47), and the one to fall back to.
  public var language: String
  /// Texts by language and key.
  public var texts: [String: [String: TextForms]]
  /// Which variations of running experiments this document shows.
  public var variations: [Variation]
  /// The flows. The first one is where an experience begins, unless another is asked for.
  public var flows: [Flow] { didSet { traps = KnownTraps() } }
  /// What was found out about the flows. Copies share it.
  private(set) var traps = KnownTraps()

  /// Makes an experience. Nothing is checked; ``validate(limits:)`` does.
  public init(
    id: String, version: Int = 1, type: Kind = .newUser, requiresLogin: Bool = true, language: String = "en",
    texts: [String: [String: TextForms]] = [:], variations: [Variation] = [], flows: [Flow]
  ) {
    self.id = id
    self.version = version
    self.type = type
    self.requiresLogin = requiresLogin
    self.language = language
    self.texts = texts
    self.variations = variations
    self.flows = flows
  }

  /// When an experience is meant to be shown.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// When no user is signed in.
    case newUser
    /// When a user is to log in, in any state.
    case login
    /// When a user has forgotten the password, in any state.
    case recoverPassword
    /// When the app says so.
    case custom
  }

  /// One arm of an experiment that a server decided on.
  public struct Variation: Sendable, Hashable, Codable {
    /// The experiment.
    public var name: String
    /// The arm.
    public var variation: String

    /// Makes a variation.
    public init(name: String, variation: String) {
      self.name = name
      self.variation = variation
    }
  }
}

extension Experience {
  /// The flow with this id.
  public func flow(_ id: String) -> Flow? { flows.first { $0.id == id } }

  /// Where to begin for a kind of experience: the first flow of that kind (for ``Kind/newUser`` a sign-up), or else the
  /// first flow.
  public func startingFlow(for kind: Kind) -> Flow? {
    let wanted: Flow.Kind =
      switch kind {
      case .newUser: .signUp
      case .login: .login
      case .recoverPassword: .recoverPassword
      case .custom: .custom
      }
    return flows.first { $0.kind == wanted } ?? flows.first
  }
}

extension Experience {
  /// A screen's place in the document.
  struct Place: Hashable, Sendable {
    var flow: Int
    var screen: Int
  }

  /// The place of a screen; nil if there is no such screen.
  func place(of screen: String, in flow: String) -> Place? {
    guard let flow = flows.firstIndex(where: { $0.id == flow }),
      let screen = flows[flow].screens.firstIndex(where: { $0.id == screen })
    else { return nil }
    return Place(flow: flow, screen: screen)
  }

  /// The screens that no end can be reached from, once they were looked for. It belongs to no document's value: all are
  /// equal.
  final class KnownTraps: Sendable, Hashable {
    private let known = Locked<Set<Place>?>(nil)

    /// - Parameter find: looks for them. Two callers may do so at once, and find the same.
    func places(_ find: () -> Set<Place>) -> Set<Place> {
      if let places = known.withLock({ $0 }) { return places }
      let places = find()
      known.withLock { $0 = places }
      return places
    }

    static func == (one: KnownTraps, other: KnownTraps) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }
}
