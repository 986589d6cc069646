internal import Foundation
internal import OstiaryCore

/// What the app is asked.
enum RunnerQuestion: Sendable {
  case validate([String: FieldValue], screen: String)
  case logIn([String: FieldValue])
  case signUp([String: FieldValue])
  case recoverPassword([String: FieldValue])
  case handle([String: FieldValue])
  case trigger(String)
  case provider(String)
  case permission(String)

  /// Asks. Without an app nothing is accepted.
  func answer(from delegate: (any ExperienceDelegate)?) async -> RunnerAnswer {
    guard let delegate else {
      // A permission that is not granted has a way on of its own.
      if case .permission = self { return .decision(false) }
      return .unanswered
    }
    do {
      return switch self {
      case .validate(let fields, let screen): .validation(try await delegate.validate(fields, on: screen))
      case .logIn(let fields): .user(try await delegate.logIn(with: fields))
      case .signUp(let fields): .user(try await delegate.signUp(with: fields))
      case .recoverPassword(let fields): .validation(try await delegate.recoverPassword(with: fields))
      case .handle(let fields): .decision(try await delegate.handle(fields))
      case .trigger(let name): .decision(try await delegate.handleTrigger(name))
      case .provider(let name): .provider(try await delegate.signIn(with: name))
      case .permission(let name): .decision(try await delegate.requestPermission(name))
      }
    } catch is CancellationError {
      return .abandoned
    } catch is CompletionAbandoned {
      return .abandoned
    } catch is DelegateMissing {
      return .unanswered
    } catch let error as OstiaryError {
      return .failed(error.advice.isEmpty ? error.message : "\(error.message) \(error.advice)")
    } catch {
      // What other errors say was not written for users, and may quote what they entered.
      return .failed(nil)
    }
  }
}

/// What came of a question.
enum RunnerAnswer: Sendable {
  case validation(ValidationResult)
  case user(UserValidation)
  case provider(ProviderValidation)
  case decision(Bool)
  /// There will be no answer.
  case abandoned
  /// There is no app to answer.
  case unanswered
  /// It could not be answered, and perhaps why.
  case failed(String?)
}

/// What the app is told.
enum RunnerNotice: Sendable {
  case appeared(screen: String, triggers: [String])
  case willClose([String: FieldValue])
  case signedIn(SignedInUser)
  case event(ExperienceEvent)
  case open(URL)

  func tell(_ delegate: any ExperienceDelegate) async {
    switch self {
    case .appeared(let screen, let triggers): await delegate.screenDidAppear(screen, triggers: triggers)
    case .willClose(let fields): await delegate.willClose(with: fields)
    case .signedIn(let user): await delegate.didSignIn(user)
    case .event(let event): await delegate.record(event)
    case .open(let url): await delegate.open(url)
    }
  }
}
