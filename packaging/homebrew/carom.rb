class Carom < Formula
  desc "Rigid-body impact, resolved"
  homepage "https://github.com/carom/carom"
  url "https://github.com/carom/carom/releases/download/v@VERSION@/carom-@VERSION@-source.tar.gz"
  sha256 "@SHA256@"

  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkg-config" => :build
  depends_on "cairo"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBUILD_TESTING=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "newton", shell_output("#{bin}/carom compare")
  end
end
