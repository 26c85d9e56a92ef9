/// The keys for signing requests. Descriptions and mirrors do not contain them.
package struct S3Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  let accessKey: String
  let secretKey: String
  let sessionToken: String?

  /// Creates credentials; only temporary ones have a session token.
  package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }

  package var description: String { "credentials" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
