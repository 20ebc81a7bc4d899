vcpkg_download_distfile(ARCHIVE
  URLS "https://github.com/carom/carom/releases/download/v${VERSION}/carom-${VERSION}-source.tar.gz"
  FILENAME "carom-${VERSION}-source.tar.gz"
  SHA512 @SHA512@)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DCAROM_PROGRAMS=OFF -DBUILD_TESTING=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/carom)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
