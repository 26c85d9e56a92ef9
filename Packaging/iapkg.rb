# Template of the formula for Homebrew: `make dist DIST_URL=…` writes the address and the digest of a release into it. It
# has not been run, because iapkg is tested on Linux only.
class Iapkg < Formula
  desc "Build, check and install in-app-purchase content packages"
  homepage "https://example.org/iapkg"
  url "https://example.org/iapkg-1.0.0-beta.1-source.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build] # Swift 6.2
  depends_on "libarchive"
  depends_on "libdeflate"
  depends_on "libyaml"
  depends_on macos: :sequoia
  depends_on "xxhash"

  uses_from_macos "curl"
  uses_from_macos "libxml2"
  uses_from_macos "zlib"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "iapkg"
    bin.install ".build/release/iapkg"
    system "Packaging/extras", "install", bin/"iapkg", prefix
  end

  test do
    system bin/"iapkg", "init", "Book", "--product-id", "com.example.book"
    (testpath/"Book/Contents/text").write "text"
    system bin/"iapkg", "create", "Book", "-o", "Book.pkg"
    assert_match "valid (com.example.book 1.0)", shell_output("#{bin}/iapkg validate Book.pkg")
  end
end
