public import Logging
public import OstiaryCore

/// An org's services, each with settings of its own.
public final class SalesforceServices: Sendable {
  private struct State: Sendable {
    var services: [SalesforceServiceType: SalesforceService] = [:]
    var handlers: SalesforceServiceHandlers
  }

  private let transport: any Transport
  private let configuration: SalesforceServiceConfiguration
  private let clock: any SessionClock
  private let logger: Logger
  private let state: Locked<State>
  private let events = EventRelay<SalesforceServiceEvent>()

  /// Makes the services. Nothing is sent, and the app is not asked.
  public init(
    transport: any Transport, handlers: SalesforceServiceHandlers = SalesforceServiceHandlers(),
    configuration: SalesforceServiceConfiguration = SalesforceServiceConfiguration(),
    clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary.salesforce")
  ) {
    self.transport = transport
    self.configuration = configuration
    self.clock = clock
    self.logger = logger
    state = Locked(State(handlers: handlers))
  }

  /// What the app answers, whichever service it is about.
  public var handlers: SalesforceServiceHandlers {
    get { state.withLock { $0.handlers } }
    set {
      let services = state.withLock { state in
        state.handlers = newValue
        return Array(state.services.values)
      }
      for service in services { service.handlers = newValue }
    }
  }

  /// The service of a type.
  public subscript(type: SalesforceServiceType) -> SalesforceService {
    state.withLock { state in
      if let service = state.services[type] { return service }
      let service = SalesforceService(
        type, transport: transport, handlers: state.handlers, configuration: configuration, clock: clock,
        logger: logger)
      service.onEvent { [events] in events.tell($0) }
      state.services[type] = service
      return service
    }
  }

  /// Calls `observer` for every change of any service's settings from now on.
  /// - Returns: a function that ends it.
  @discardableResult
  public func onEvent(_ observer: @escaping @Sendable (SalesforceServiceEvent) -> Void) -> @Sendable () -> Void {
    events.observe(observer)
  }
}

/// How services behave where there is a choice.
public struct SalesforceServiceConfiguration: Sendable {
  /// How long an app may take to answer a question for settings, its user's answer included, or to be told of a failure.
  /// Callers that wait are then told that no answer came, and the next need asks again. 10 minutes; `nil` waits as long as
  /// it takes.
  public var answerPatience: Duration? = .seconds(600)
  /// How many failures in a row end as a guest. 2: the settings that the app was asked for again after a failure get one
  /// chance.
  public var maximumFailures = 2
  /// The version of the org's interface with which devices are registered.
  public var apiVersion = SalesforcePush.apiVersion
  /// How sessions are kept.
  public var sessions = SessionConfiguration()

  /// The defaults.
  public init() {}
}

/// A part of Service Cloud that has settings of its own. An open set.
public struct SalesforceServiceType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A type of this name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// Cases.
  public static let cases = SalesforceServiceType("cases")
  /// Knowledge articles.
  public static let knowledge = SalesforceServiceType("knowledge")
}
