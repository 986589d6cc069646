/// What becomes of an action.
enum SnapStartEvent: Sendable {
  case started
  case finished
  case failed(any Error)
}

extension PMSnapStartViewController {
  /// Tells the delegate. In Objective-C its methods are optional.
  func tell(_ event: SnapStartEvent, of action: PMSnapStartAction) {
    #if canImport(ObjectiveC)
      switch event {
      case .started: delegate?.snapStartController?(self, didStartAction: action)
      case .finished: delegate?.snapStartController?(self, didFinishAction: action)
      case .failed(let error): delegate?.snapStartController?(self, didFailAction: action, withError: error)
      }
    #else
      switch event {
      case .started: delegate?.snapStartController(self, didStartAction: action)
      case .finished: delegate?.snapStartController(self, didFinishAction: action)
      case .failed(let error): delegate?.snapStartController(self, didFailAction: action, withError: error)
      }
    #endif
  }
}
