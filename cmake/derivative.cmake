# Derivatives: the laws compiled a second time, as C++ whose numbers carry their partial derivatives (src/derivative/number.hpp). Once for
# every number of partials that derivative.c asks for. No library of C++ is used, nor linked. Without CAROM_DERIVATIVES the library is C
# alone, and carom_derivative_solve refuses every law.
set(CAROM_NUMBER_OBJECTS)
include(CheckLanguage)
if(CAROM_DERIVATIVES)
  check_language(CXX)
endif()
if(CAROM_DERIVATIVES AND NOT CMAKE_CXX_COMPILER)
  message(STATUS "No C++ compiler: the library has no derivatives")
elseif(CAROM_DERIVATIVES)
  enable_language(CXX)
  set(CMAKE_CXX_LINKER_PREFERENCE_PROPAGATES 0) # programs are linked as C: these numbers need no library of C++
  file(GLOB CAROM_NUMBER_SOURCES CONFIGURE_DEPENDS src/derivative/*_numbers.cpp)
  # The laws with this many partial derivatives, as the pass of this name; further arguments are options of the compiler.
  function(carom_numbers pass partials)
    set(target carom_numbers_${pass})
    add_library(${target} OBJECT ${CAROM_NUMBER_SOURCES})
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON CXX_STANDARD 20)
    target_compile_definitions(${target} PRIVATE PARTIALS=${partials} PASS=${pass})
    target_include_directories(${target} PRIVATE include ${CAROM_GENERATED} src)
    # The flags of the mathematics; of the warnings those that hold for C and C++ alike.
    target_compile_options(${target} PRIVATE -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math
      -fno-exceptions -fno-rtti -fno-threadsafe-statics -Wall -Wno-enum-compare -Wno-deprecated-enum-enum-conversion -Wno-unused-function -Wno-unknown-pragmas
      $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi> $<$<BOOL:${CAROM_WERROR}>:-Werror> ${ARGN})
    set(CAROM_NUMBER_OBJECTS ${CAROM_NUMBER_OBJECTS} $<TARGET_OBJECTS:${target}> PARENT_SCOPE)
  endfunction()
  carom_numbers(one 1)
  carom_numbers(all 12)
  if(CAROM_ENGINE_OBJECTS) # this machine has more than one instruction set (engine.cmake)
    carom_numbers(all_avx2 12 -mavx2 -mfma -fno-tree-slp-vectorize)
    target_compile_definitions(carom_objects PRIVATE CAROM_HAS_DERIVATIVES_AVX2)
  endif()
  target_compile_definitions(carom_objects PRIVATE CAROM_HAS_DERIVATIVES)
endif()
