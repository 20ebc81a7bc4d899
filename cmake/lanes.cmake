# Vector loops, and laws for one impact alone, from one source: the files below are compiled again for every instruction set the
# compiler knows, with LANES_ISA naming it, and the library picks one at run time. -fopenmp-simd reads `#pragma omp simd` and needs no library.
include(CheckCCompilerFlag)
set(CAROM_ALGEBRAIC newton brach whittaker bilinear chatterjee_velocity chatterjee_momentum chatterjee_rebound chatterjee_mix ivanov
    pfeiffer_glocker)
set(CAROM_INCREMENTAL routh_newton routh_poisson routh_stronge)
set(CAROM_WITHOUT_LOOPS whittaker_space smith)
foreach(family ALGEBRAIC INCREMENTAL WITHOUT_LOOPS)
  list(TRANSFORM CAROM_${family} REPLACE "(.+)" "src/laws/\\1.c")
endforeach()
set(CAROM_LANES_SOURCES ${CAROM_ALGEBRAIC} ${CAROM_INCREMENTAL} src/engine/tile.c src/engine/stream.c src/laws/coulomb/slip_arc.c)
set(CAROM_LANES_OBJECTS)

target_compile_options(carom_objects PRIVATE -fopenmp-simd)
# Sums over a few coefficients, in order: vectors do not help there.
file(GLOB CAROM_SPRINGS CONFIGURE_DEPENDS src/laws/springs/*.c)
set_source_files_properties(${CAROM_SPRINGS} PROPERTIES COMPILE_OPTIONS -fno-tree-vectorize)

# Some sources once more: definitions say for which instruction set and which part of them, options follow.
function(carom_variant name sources definitions)
  add_library(${name} OBJECT ${sources})
  set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PRIVATE include src)
  target_compile_definitions(${name} PRIVATE ${definitions})
  target_compile_options(${name} PRIVATE -fopenmp-simd ${ARGN})
  target_link_libraries(${name} PRIVATE carom_flags)
endfunction()

function(carom_lanes isa)
  string(TOUPPER ${isa} ISA)
  check_c_compiler_flag("${ARGN}" CAROM_COMPILES_${ISA})
  if(NOT CAROM_COMPILES_${ISA})
    return()
  endif()
  # Loops: the first two options cut selects into branches that then do not vectorise; the next let long independent chains run side by
  # side; with the last, functions with a local call return without clearing the upper halves of vector registers, which slows all code
  # after them.
  carom_variant(carom_${isa} "${CAROM_LANES_SOURCES}" "LANES_ISA=${isa};LANES_LOOPS_ONLY" ${ARGN}
    $<$<C_COMPILER_ID:GNU>:-fno-thread-jumps -fno-tree-pre -fschedule-insns -fsched-pressure -fno-ipa-ra>)
  # One impact: no wide loads here, either.
  carom_variant(carom_${isa}_alone "${CAROM_ALGEBRAIC};${CAROM_INCREMENTAL};${CAROM_WITHOUT_LOOPS}" "LANES_ISA=${isa};LANES_ALONE_ONLY" ${ARGN}
    -fno-tree-slp-vectorize)
  target_compile_definitions(carom_objects PRIVATE LANES_HAVE_${ISA})
  set(CAROM_LANES_OBJECTS ${CAROM_LANES_OBJECTS} $<TARGET_OBJECTS:carom_${isa}> $<TARGET_OBJECTS:carom_${isa}_alone>
      PARENT_SCOPE)
endfunction()

if(CAROM_ISA_VARIANTS AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  carom_lanes(avx2 -mavx2 -mfma)
  carom_lanes(avx512 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
endif()

# Only src/engine/threads.c uses threads; the rest of the library needs libm alone.
set(CAROM_THREAD_LIBS)
if(CAROM_THREADS)
  find_package(Threads QUIET)
  if(CMAKE_USE_PTHREADS_INIT)
    set_source_files_properties(src/engine/threads.c PROPERTIES COMPILE_DEFINITIONS CAROM_HAVE_THREADS)
    set(CAROM_THREAD_LIBS ${CMAKE_THREAD_LIBS_INIT})
  endif()
endif()
