#if canImport(SwiftUI)
  internal import SwiftUI

  #if canImport(UIKit)
    internal import UIKit
  #endif

  extension View {
    /// Types as ``TextInput`` says. On macOS and watchOS there are no keyboards to choose from.
    @MainActor
    func typed(_ input: TextInput) -> some View {
      #if canImport(UIKit) && !os(watchOS)
        return keyboardType(input.keyboard.type)
          .textContentType(input.content?.type)
          .textInputAutocapitalization(input.capitalization.type)
          .autocorrectionDisabled(!input.isCorrected)
          .modifier(LeftToRight(isOn: input.isLeftToRight))
      #else
        return autocorrectionDisabled(!input.isCorrected).modifier(LeftToRight(isOn: input.isLeftToRight))
      #endif
    }
  }

  /// Lays a line of text out from left to right in every language, and leaves others as they are.
  private struct LeftToRight: ViewModifier {
    @Environment(\.layoutDirection) private var direction
    let isOn: Bool

    func body(content: Content) -> some View {
      content.environment(\.layoutDirection, isOn ? .leftToRight : direction)
    }
  }

  extension ReturnKey {
    /// What stands on the return key.
    var label: SubmitLabel {
      switch self {
      case .next: .next
      case .perform: .go
      case .done: .done
      }
    }
  }

  #if canImport(UIKit) && !os(watchOS)
    extension TextInput.Keyboard {
      var type: UIKeyboardType {
        switch self {
        case .usual: .default
        case .ascii: .asciiCapable
        case .email: .emailAddress
        case .phone: .phonePad
        case .url: .URL
        case .digits: .numberPad
        case .decimal: .decimalPad
        case .numbersAndSigns: .numbersAndPunctuation
        }
      }
    }

    extension TextInput.Capitalization {
      var type: TextInputAutocapitalization {
        switch self {
        case .none: .never
        case .words: .words
        case .sentences: .sentences
        case .characters: .characters
        }
      }
    }

    extension TextContent {
      var type: UITextContentType {
        switch self {
        case .name: .name
        case .namePrefix: .namePrefix
        case .givenName: .givenName
        case .middleName: .middleName
        case .familyName: .familyName
        case .nameSuffix: .nameSuffix
        case .nickname: .nickname
        case .jobTitle: .jobTitle
        case .organizationName: .organizationName
        case .fullStreetAddress: .fullStreetAddress
        case .streetAddressLine1: .streetAddressLine1
        case .streetAddressLine2: .streetAddressLine2
        case .city: .addressCity
        case .state: .addressState
        case .countryName: .countryName
        case .postalCode: .postalCode
        case .telephoneNumber: .telephoneNumber
        case .emailAddress: .emailAddress
        case .url: .URL
        case .creditCardNumber: .creditCardNumber
        case .username: .username
        case .password: .password
        case .newPassword: .newPassword
        case .oneTimeCode: .oneTimeCode
        }
      }
    }
  #endif
#endif
