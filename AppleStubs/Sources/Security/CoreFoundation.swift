// On Apple's platforms these are classes of CoreFoundation that bridge to Swift's own types. Here they are those types.
public typealias OSStatus = Int32
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public final class CFAllocator {}
public final class CFError {}
