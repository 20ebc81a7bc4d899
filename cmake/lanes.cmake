# Vector loops from one source: the files below are compiled again for every instruction set the compiler knows, with LANES_ISA
# naming it, and the library picks one at run time. -fopenmp-simd reads `#pragma omp simd` and needs no library.
include(CheckCCompilerFlag)
set(CAROM_LANES_SOURCES src/batch/tile.c src/batch/stream.c src/laws/compliant_expand.c src/laws/compliant_sweep.c)
foreach(law newton brach whittaker bilinear chatterjee_velocity chatterjee_momentum chatterjee_rebound chatterjee_mix ivanov
        pfeiffer_glocker routh_newton routh_poisson routh_stronge slip_arc)
  list(APPEND CAROM_LANES_SOURCES src/laws/${law}.c)
endforeach()
set(CAROM_LANES_OBJECTS)

target_compile_options(carom_objects PRIVATE -fopenmp-simd)

function(carom_lanes isa)
  string(TOUPPER ${isa} ISA)
  check_c_compiler_flag("${ARGN}" CAROM_COMPILES_${ISA})
  if(NOT CAROM_COMPILES_${ISA})
    return()
  endif()
  add_library(carom_${isa} OBJECT ${CAROM_LANES_SOURCES})
  set_target_properties(carom_${isa} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_include_directories(carom_${isa} PRIVATE include src)
  target_compile_definitions(carom_${isa} PRIVATE LANES_ISA=${isa})
  target_compile_options(carom_${isa} PRIVATE -fopenmp-simd ${ARGN}
    # The first two cut selects into branches that then do not vectorise; the next let long independent chains run side by side; with the
    # last, functions with a local call return without clearing the upper halves of vector registers, which slows all code after them.
    $<$<C_COMPILER_ID:GNU>:-fno-thread-jumps -fno-tree-pre -fschedule-insns -fsched-pressure -fno-ipa-ra>)
  target_link_libraries(carom_${isa} PRIVATE carom_flags)
  target_compile_definitions(carom_objects PRIVATE LANES_HAVE_${ISA})
  set(CAROM_LANES_OBJECTS ${CAROM_LANES_OBJECTS} $<TARGET_OBJECTS:carom_${isa}> PARENT_SCOPE)
endfunction()

if(CAROM_ISA_VARIANTS AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  carom_lanes(avx2 -mavx2 -mfma)
  carom_lanes(avx512 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
endif()

# Only src/batch/threads.c knows of OpenMP's threads; the rest of the library needs libm alone.
set(CAROM_THREADS)
if(CAROM_OPENMP)
  find_package(OpenMP COMPONENTS C QUIET)
  if(OpenMP_C_FOUND)
    set_source_files_properties(src/batch/threads.c PROPERTIES COMPILE_OPTIONS "${OpenMP_C_FLAGS}")
    set(CAROM_THREADS ${OpenMP_C_LIB_NAMES})
    list(REMOVE_ITEM CAROM_THREADS pthread)
    if(CMAKE_C_COMPILER_ID MATCHES Clang)
      set(CAROM_THREADS ${OpenMP_C_FLAGS}) # its library is in a folder that only the driver knows
    endif()
  endif()
endif()
