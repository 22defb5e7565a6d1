# A recipe of hlolint for Conan 2: `conan create examples/packaging/conan`. It packs the headers around it.
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy
from conan.tools.layout import basic_layout


class HlolintConan(ConanFile):
    name = "hlolint"
    version = "0.2.0"
    description = "Reads the text dumps of the XLA compiler and lints them"
    license = "BSL-1.0"
    topics = ("xla", "hlo", "lint", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def layout(self):
        basic_layout(self)

    def export_sources(self):
        top = os.path.join(self.recipe_folder, "..", "..", "..")
        for pattern in ("LICENSE", "include/*"):
            copy(self, pattern, src=top, dst=self.export_sources_folder)

    def requirements(self):
        self.requires("boost/[>=1.81]", options={"header_only": True})

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.clear()  # one package serves all settings

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", src=os.path.join(self.source_folder, "include"), dst=os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "hlolint")
        self.cpp_info.set_property("cmake_target_name", "hlolint::hlolint")
        self.cpp_info.requires = ["boost::headers"]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
