/// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper
public struct State<Value> {
  public init(wrappedValue value: Value) {}
  public init(initialValue value: Value) {}
  private let storage = Storage<Value>()
  public var wrappedValue: Value {
    get { storage.value() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { Binding(storage) }
}

extension State: Sendable where Value: Sendable {}

struct Storage<Value> {
  func value() -> Value { fatalError() }
}

extension Storage: Sendable where Value: Sendable {}

/// https://developer.apple.com/documentation/swiftui/binding
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    storage = Storage()
  }
  init(_ storage: Storage<Value>) { self.storage = storage }
  private let storage: Storage<Value>
  public var wrappedValue: Value {
    get { storage.value() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(Storage())
  }
}

extension Binding: Sendable where Value: Sendable {}

/// https://developer.apple.com/documentation/swiftui/focusstate
@propertyWrapper
public struct FocusState<Value: Hashable> {
  public init() where Value == Bool {}
  public init<T: Hashable>() where Value == T? {}
  private let storage = Storage<Value>()
  public var wrappedValue: Value {
    get { storage.value() }
    nonmutating set {}
  }
  public var projectedValue: Binding { Binding() }

  public struct Binding {}
}

extension FocusState: Sendable where Value: Sendable {}
