/// An OpenSSH signature of `message`, made with `ssh-keygen -Y sign -n catalog@iapkg`.
package enum KnownSignature {
  package static let message = "a catalog\n"

  package static let armor = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgYZ+4wHS7waJ6DH4AyZKy6zYY/+
    MVZIWYgynCo6UVFA0AAAANY2F0YWxvZ0BpYXBrZwAAAAAAAAAGc2hhNTEyAAAAUwAAAAtz
    c2gtZWQyNTUxOQAAAEBg7eIwQzA2AhqshUUmoXhdd8tCTuZ68pFxd/4e/D8+9ZCkGf724a
    43p0xWK8rx65vvZ7n14Jovgd/PDrLQfDkO
    -----END SSH SIGNATURE-----
    """

  /// The public key of the signature.
  package static let publicKey =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGGfuMB0u8Giegx+AMmSsus2GP/jFWSFmIMpwqOlFRQN"

  package static let fingerprint = "SHA256:uLju/4jkF/b1Caq/OptAJbckSqWoKB7bPrqFl+1tIxs"
}
