# What `cmake --install` puts where, and the packages that cpack makes of it: cmake --build BUILD --target package
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(MIXLAB_SHARE ${CMAKE_INSTALL_DATADIR}/mixlab)
set(MIXLAB_PACKAGE_DIR ${PROJECT_SOURCE_DIR}/cmake/package)

# The program, and what it looks for beside itself. Libraries of a relocatable archive lie in lib/mixlab; the old kind of
# search path, unlike the new one, also serves the libraries that they need themselves.
set_target_properties(mixlab PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/mixlab;$ORIGIN/../lib/mixlab/runtime")
target_link_options(mixlab PRIVATE -Wl,--disable-new-dtags)
install(TARGETS mixlab RUNTIME COMPONENT program)
install(DIRECTORY analysis DESTINATION ${MIXLAB_SHARE} COMPONENT program  # `mixlab report` looks there
        PATTERN __pycache__ EXCLUDE PATTERN .mypy_cache EXCLUDE PATTERN .flake8 EXCLUDE
        PATTERN build EXCLUDE PATTERN *.egg-info EXCLUDE)
install(DIRECTORY studies DESTINATION ${MIXLAB_SHARE} COMPONENT program
        FILES_MATCHING PATTERN *.cfg PATTERN *.md PATTERN *.ipynb PATTERN *.csv PATTERN *.svg PATTERN *.png PATTERN *.cpp PATTERN *.h PATTERN CMakeLists.txt)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md THIRD-PARTY.md CITATION.cff DESTINATION ${MIXLAB_SHARE} COMPONENT program)
install(FILES CHANGELOG.md THIRD-PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program RENAME copyright)
install(FILES ${MIXLAB_PACKAGE_DIR}/mixlab.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        COMPONENT program RENAME mixlab)

# Manual pages say what --help says.
if(NOT CMAKE_CROSSCOMPILING)
  set(MIXLAB_MAN ${PROJECT_BINARY_DIR}/man1)
  add_custom_command(OUTPUT ${MIXLAB_MAN}/mixlab.1
    COMMAND ${MIXLAB_PACKAGE_DIR}/man-pages $<TARGET_FILE:mixlab> ${MIXLAB_MAN}
    DEPENDS mixlab ${MIXLAB_PACKAGE_DIR}/man-pages COMMENT "Writing manual pages")
  add_custom_target(mixlab_man ALL DEPENDS ${MIXLAB_MAN}/mixlab.1)
  install(DIRECTORY ${MIXLAB_MAN} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
endif()

# The library: find_package(mixlab), or pkg-config. Headers are those that need no HDF5.
set(MIXLAB_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/mixlab)
install(TARGETS mixlab_library EXPORT mixlabTargets ARCHIVE COMPONENT library INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT mixlabTargets NAMESPACE mixlab:: DESTINATION ${MIXLAB_CMAKE_DIR} COMPONENT library)
install(DIRECTORY include/mixlab DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
        PATTERN cluster EXCLUDE PATTERN rare EXCLUDE PATTERN store EXCLUDE
        REGEX "verdict/(declared|sample|stopping|sweep)\\.h" EXCLUDE)
if(MIXLAB_GCC10)
  install(FILES ${MIXLAB_GCC10}/span DESTINATION include/mixlab/gcc10 COMPONENT library)
  set(MIXLAB_PC_GCC10 "-isystem \${prefix}/include/mixlab/gcc10")
endif()
write_basic_package_version_file(mixlabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mixlabConfigVersion.cmake ${MIXLAB_PACKAGE_DIR}/mixlabConfig.cmake
              ${MIXLAB_PACKAGE_DIR}/bundled.cmake cmake/dependencies.cmake DESTINATION ${MIXLAB_CMAKE_DIR} COMPONENT library)

# What a linker wants to hear, in the order of the exported target.
if(HDF5_C_LIBRARIES MATCHES "hdf5[^;]*\\.so")
  list(FILTER HDF5_C_LIBRARIES INCLUDE REGEX "hdf5")  # a shared one knows itself what it needs
endif()
set(MIXLAB_PC_LIBRARIES ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES} ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES}
    $<TARGET_FILE:Boost::program_options> ${ZLIB_LIBRARIES} ${OpenMP_CXX_FLAGS} -pthread ${CMAKE_DL_LIBS})
list(REMOVE_DUPLICATES MIXLAB_PC_LIBRARIES)
list(TRANSFORM MIXLAB_PC_LIBRARIES REPLACE "^([a-z]+)$" "-l\\1")
list(JOIN MIXLAB_PC_LIBRARIES " " MIXLAB_PC_LIBRARIES)
configure_file(${MIXLAB_PACKAGE_DIR}/mixlab.pc.in mixlab.pc.generator @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/mixlab.pc INPUT ${PROJECT_BINARY_DIR}/mixlab.pc.generator)
install(FILES ${PROJECT_BINARY_DIR}/mixlab.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

# Shared libraries, for the archive alone.
configure_file(${MIXLAB_PACKAGE_DIR}/bundle.cmake.in bundle.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/bundle.cmake COMPONENT bundle EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_VENDOR "The mixlab authors")
set(CPACK_PACKAGE_CONTACT "The mixlab authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DESCRIPTION_FILE ${MIXLAB_PACKAGE_DIR}/description.txt)
set(CPACK_SYSTEM_NAME Linux-${CMAKE_SYSTEM_PROCESSOR})
find_program(MIXLAB_SHLIBDEPS dpkg-shlibdeps)
set(CPACK_GENERATOR TGZ)
if(MIXLAB_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(BLAS_LIBRARIES MATCHES openblas)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libopenblas0-pthread)  # not the serial flavour, which the program refuses
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "python3-h5netcdf, python3-matplotlib, python3-numpy, python3-pandas, python3-scipy, python3-xarray")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, cmake, libarmadillo-dev, libboost-program-options-dev, libhdf5-dev, libopenblas-pthread-dev, zlib1g-dev")
set(CPACK_PROJECT_CONFIG_FILE ${MIXLAB_PACKAGE_DIR}/generator.cmake)
include(CPack)
