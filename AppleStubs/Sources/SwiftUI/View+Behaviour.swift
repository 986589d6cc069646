public import UIKit

extension View {
  /// https://developer.apple.com/documentation/swiftui/view
  public nonisolated func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Opaque() }
  public nonisolated func disabled(_ disabled: Bool) -> some View { Opaque() }
  public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { Opaque() }
  public nonisolated func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View { Opaque() }
  public nonisolated func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
    Opaque()
  }
  public nonisolated func modifier<T: ViewModifier>(_ modifier: T) -> some View { Opaque() }
  public nonisolated func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value)
    -> some View
  { Opaque() }
  public nonisolated func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View {
    Opaque()
  }
  public nonisolated func submitLabel(_ submitLabel: SubmitLabel) -> some View { Opaque() }
  public nonisolated func keyboardType(_ type: UIKeyboardType) -> some View { Opaque() }
  public nonisolated func textContentType(_ textContentType: UITextContentType?) -> some View { Opaque() }
  public nonisolated func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
    Opaque()
  }
  public nonisolated func autocorrectionDisabled(_ disable: Bool = true) -> some View { Opaque() }
  public nonisolated func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { Opaque() }
  public nonisolated func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { Opaque() }
}

/// https://developer.apple.com/documentation/swiftui/submittriggers
public struct SubmitTriggers: Sendable {
  public static let text = Self()
}

/// https://developer.apple.com/documentation/swiftui/submitlabel
public struct SubmitLabel: Sendable {
  public static var done: SubmitLabel { Self() }
  public static var go: SubmitLabel { Self() }
  public static var next: SubmitLabel { Self() }
}

/// https://developer.apple.com/documentation/swiftui/textinputautocapitalization
public struct TextInputAutocapitalization: Sendable {
  public static var never: TextInputAutocapitalization { Self() }
  public static var words: TextInputAutocapitalization { Self() }
  public static var sentences: TextInputAutocapitalization { Self() }
  public static var characters: TextInputAutocapitalization { Self() }
}

/// https://developer.apple.com/documentation/swiftui/accessibilitychildbehavior
public struct AccessibilityChildBehavior: Hashable, Sendable {
  public static let ignore = Self()
  public static let contain = Self()
}

/// https://developer.apple.com/documentation/swiftui/accessibilitytraits
public struct AccessibilityTraits: SetAlgebra, Sendable {
  public static let isHeader = AccessibilityTraits()
  public static let isModal = AccessibilityTraits()
  public init() {}
  public func contains(_ member: AccessibilityTraits) -> Bool { false }
  public func union(_ other: Self) -> Self { self }
  public func intersection(_ other: Self) -> Self { self }
  public func symmetricDifference(_ other: Self) -> Self { self }
  public mutating func insert(_ new: AccessibilityTraits) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
    (false, new)
  }
  public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? { nil }
  public mutating func update(with new: AccessibilityTraits) -> AccessibilityTraits? { nil }
  public mutating func formUnion(_ other: Self) {}
  public mutating func formIntersection(_ other: Self) {}
  public mutating func formSymmetricDifference(_ other: Self) {}
}
