// Stands for Apple's Foundation: Scripts/check-apple.sh has sources read `import Foundation` as this module, and finds no
// FoundationNetworking. What both Foundations have is the one that is here; what is declared in this module hides what that one says
// of the same name. Optional methods of Apple's protocols are required here where the SDK implements them: one whose shape is not Apple's
// is an error then, and not a method that is never called.
@_exported public import Foundation
