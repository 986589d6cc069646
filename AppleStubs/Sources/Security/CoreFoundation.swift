// On Apple's platforms most of these are classes of CoreFoundation that bridge to Swift's own types. Here they are those types.

/// https://developer.apple.com/documentation/kernel/osstatus
public typealias OSStatus = Int32
/// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String
/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = [String: Any]
/// https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
/// https://developer.apple.com/documentation/corefoundation/cfallocator
public final class CFAllocator {}
/// https://developer.apple.com/documentation/corefoundation/cferror
public final class CFError {}
