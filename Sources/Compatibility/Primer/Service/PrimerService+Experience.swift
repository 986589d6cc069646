internal import Foundation
internal import HTTPTypes
internal import Ostiary
package import OstiaryExperiences

extension PrimerService {
  /// Presents an experience, if one is wanted.
  func present(_ settings: PMRExperienceSettings?, completion: (@MainActor @Sendable (Bool) -> Void)?) {
    // One that has just ended may not have been cleared away yet.
    if let last = state.withLock({ $0.stage.runner }), last.snapshot.outcome != nil { clear(last) }
    let search = state.withLock { state -> UInt64? in
      guard state.isInitialized, case .nothing = state.stage else { return nil }
      state.searches += 1
      state.stage = .loading(state.searches)
      return state.searches
    }
    MainActorDelivery.deliver {
      guard let search, let runner = await self.show(settings ?? PMRExperienceSettings(), search) else {
        completion?(false)
        return
      }
      completion?(true)
      _ = try? await runner.outcome()
      self.clear(runner)
    }
  }

  /// Closes what is on the screen, or gives up looking for it.
  func dismiss(completion: (@MainActor @Sendable (Bool) -> Void)?) {
    let (runner, wasLoading) = state.withLock { state -> (ExperienceRunner?, Bool) in
      guard case .loading = state.stage else { return (state.stage.runner, false) }
      state.stage = .nothing
      return (nil, true)
    }
    let isDismissed = runner?.dismiss() ?? wasLoading
    MainActorDelivery.deliver {
      if let runner {
        _ = try? await runner.outcome()
        self.clear(runner)
      }
      completion?(isDismissed)
    }
  }

  /// What is on the screen.
  package var runner: ExperienceRunner? {
    guard let runner = state.withLock({ $0.stage.runner }), runner.snapshot.outcome == nil else { return nil }
    return runner
  }

  func clear(_ runner: ExperienceRunner) {
    state.withLock { state in
      if state.stage.runner === runner { state.stage = .nothing }
    }
  }

  /// What runs an experience, not presented yet.
  func makeRunner(_ experience: Experience, _ type: PMRExperienceType, screen: String? = nil) -> ExperienceRunner {
    let flow = screen.flatMap { name in experience.flows.first { flow in flow.screens.contains { $0.id == name } } }
    let runner = ExperienceRunner(
      experience, as: type.kind, flow: flow?.id, screen: screen, languages: Locale.preferredLanguages,
      delegate: ExperienceBridge(self, experience))
    user.attach(runner)
    return runner
  }

  @MainActor
  private func show(_ settings: PMRExperienceSettings, _ search: UInt64) async -> ExperienceRunner? {
    guard let experience = await find(settings.experienceType) else {
      state.withLock { if case .loading(search) = $0.stage { $0.stage = .nothing } }
      return nil
    }
    let type = settings.experienceType
    let runner = makeRunner(experience, type, screen: settings.screenName)
    let shownTo = user.profile.anonymousID
    let (isWanted, presenter) = state.withLock { state -> (Bool, PMRPresenter?) in
      guard case .loading(search) = state.stage else { return (false, nil) }
      state.stage = .shown(runner)
      state.variations = (shownTo, experience.variations)
      return (true, state.presenter)
    }
    guard isWanted else { return nil }
    if type == .automatic || type == .newUser { user.noteExperienceSeen() }
    runner.present()
    if let presenter {
      presenter(runner, settings)
    } else {
      #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
        Self.presentOnTop(runner, settings)
      #endif
    }
    return runner
  }

  /// The experience to show; `nil` when there is none, or none is wanted.
  func find(_ type: PMRExperienceType) async -> Experience? {
    // A store that can't be read yet says nothing about whether a user is logged in.
    guard (try? await user.restore()) != nil else { return nil }
    if type == .automatic, user.profile.standing == .loggedIn { return nil }
    let asker = user.profile.anonymousID
    guard let experience = await experience(type) else { return nil }
    // What a server has for one person is not shown to the next one: the app asks again.
    guard user.profile.anonymousID == asker else { return nil }
    guard type == .automatic else { return experience }
    let requiresLogin = state.withLock { $0.requiresLogin } ?? experience.requiresLogin
    return user.profile.wantsExperience(requiringLogin: requiresLogin) ? experience : nil
  }

  /// The document that the app has given, or that the server has.
  private func experience(_ type: PMRExperienceType) async -> Experience? {
    if let given = state.withLock({ $0.experiences[type.kind] }) { return given }
    do {
      return try await download(type)
    } catch {
      log.failed("No experience could be fetched", error)
      return nil
    }
  }

  private func download(_ type: PMRExperienceType) async throws -> Experience? {
    let (server, token) = state.withLock { ($0.server, $0.token) }
    guard let server else { return nil }
    let names = [
      PMRExperienceType.automatic: "automatic", .newUser: "new_user", .login: "login",
      .recoverPassword: "recover_password",
    ]
    let profile = user.profile
    let settings = environment.settings
    let address = server.appending(path: settings.experiencePath)
      .appending(queryItems: [URLQueryItem(name: "type", value: names[type])])
    var fields = HTTPFields()
    if let token { fields[settings.tokenField] = token }
    // Never in the address, which servers and proxies write to their logs.
    fields[PrimerSettings.userField] = userField(of: profile)
    let library = ExperienceLibrary(transport: environment.transport, cache: environment.cache)
    // Earlier versions kept single users' documents under the key without a number. The anonymous id stands for the person on this
    // device alone.
    return try await library.experience(
      at: address, headerFields: fields, key: "2 \(server.absoluteString) \(token ?? "") \(type.rawValue)",
      user: profile.anonymousID
    ).experience
  }

  /// Tells the server who the experience is for: percent-encoded, since header fields take no other characters.
  private func userField(of profile: UserProfile) -> String? {
    var name = profile.userID ?? profile.anonymousID
    let isPersonal = state.withLock { $0.sanitizes } && PersonalData.tells(name)
    if isPersonal || !EventRules.isName(name) { name = profile.anonymousID }
    return name.addingPercentEncoding(withAllowedCharacters: .rfc3986Unreserved)
  }
}

extension CharacterSet {
  fileprivate static let rfc3986Unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
