"""Conan 2 recipe of the library, without the command line."""

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import get


class Carom(ConanFile):
    """carom::carom."""

    name = "carom"
    version = "@VERSION@"
    description = "Rigid-body impact, resolved"
    license = "MIT"
    homepage = "https://github.com/carom/carom"
    settings = "os", "arch", "compiler", "build_type"

    def layout(self) -> None:
        cmake_layout(self)

    def source(self) -> None:
        url = f"{self.homepage}/releases/download/v{self.version}/carom-{self.version}-source.tar.gz"
        get(self, url, sha256="@SHA256@", strip_root=True)

    def generate(self) -> None:
        toolchain = CMakeToolchain(self)
        toolchain.variables["CAROM_PROGRAMS"] = False
        toolchain.variables["BUILD_TESTING"] = False
        toolchain.generate()

    def build(self) -> None:
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self) -> None:
        CMake(self).install()

    def package_info(self) -> None:
        self.cpp_info.libs = ["carom"]
        self.cpp_info.system_libs = ["m", "pthread", "dl"]
