"""Conan 2 recipe of the library, without the command line."""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class Carom(ConanFile):
    """carom::carom_static and carom::carom."""

    name = "carom"
    description = "Rigid-body impact, resolved"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "../../*"

    def set_version(self) -> None:
        """The version of CMakeLists.txt."""
        text = (Path(self.recipe_folder) / "../../CMakeLists.txt").read_text()
        self.version = re.search(r"project\(carom VERSION (\S+)", text).group(1)

    def layout(self) -> None:
        cmake_layout(self)

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
