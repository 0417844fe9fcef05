#if canImport(Security)
  import Foundation
  import MartletProviders
  import Security

  /// Keys in the user's keychain: generic passwords of the service `martlet`, with the provider's name as the account
  /// (`security add-generic-password -s martlet -a anthropic -w`).
  enum Keychain {
    static func key(of provider: String) -> APIKey? {
      let query: [CFString: CFTypeRef] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "martlet" as CFString,
        kSecAttrAccount: provider as CFString, kSecReturnData: kCFBooleanTrue, kSecMatchLimit: kSecMatchLimitOne,
      ]
      var item: CFTypeRef?
      guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess, let data = item as? Data else {
        return nil
      }
      let key = APIKey(String(decoding: data, as: UTF8.self))
      return key.value.isEmpty ? nil : key
    }
  }
#endif
