import Support
import Testing

struct DisplayTextTests {
  @Test(arguments: [
    ("cannot open https://u:secret@h/p: no", "cannot open https://…@h/p: no"),
    ("s3://key:se@cret@bucket/p", "s3://…@bucket/p"),
    ("'https://h/p?Signature=secret' is an address", "'https://h/p?…' is an address"),
    ("https://h/a@b, expected a?b", "https://h/a@b, expected a?b"),
    ("https://h:8080/a, expected a:b@c", "https://h:8080/a, expected a:b@c"),
    ("no port: https://u:se/cr?et#x@h/p", "no port: https://…@h/p"),
    ("https://u:it's@h/p is closed", "https://…@h/p is closed"),
    ("http:/u:secret@h: not found", "http:/…@h: not found"),
    ("'https://h/p#token=se'cret': gone", "'https://h/p#…': gone"),
  ])
  func `a message hides the secrets of addresses`(_ text: String, _ expected: String) {
    #expect(text.hidingSecretsOfAddresses == expected)
  }
}
