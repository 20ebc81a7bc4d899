# The engine: src/laws and src/engine/road.c, compiled as a whole once per instruction set that the compiler knows; the library picks one
# at run time. All parts have the same sources and the same symbols. The part of an instruction set beyond the baseline is linked into one
# object in which every symbol but its engine is local. -fopenmp-simd reads `#pragma omp simd` and needs no library.
include(CheckCCompilerFlag)

file(GLOB CAROM_LAW_SOURCES CONFIGURE_DEPENDS src/laws/*.c src/laws/*/*.c)
list(REMOVE_ITEM CAROM_LAW_SOURCES ${CAROM_LOOP_LAWS}) # they are part of road.c
set(CAROM_ENGINE_SOURCES ${CAROM_LAW_SOURCES} src/engine/road.c)
# Options that keep selects from being cut into branches, which do not vectorise, let independent chains run side by side, and keep stores
# from being merged into wide ones, which narrow loads right after them wait for.
set_source_files_properties(src/engine/road.c PROPERTIES COMPILE_OPTIONS
  "$<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize;-fno-thread-jumps;-fno-tree-pre;-fschedule-insns;-fsched-pressure;-fno-ipa-ra>")
# gcc clears an outcome with `rep stos`, which takes twice the time of the C library's memset.
check_c_compiler_flag(-mmemset-strategy=libcall:-1:noalign CAROM_MEMSET_STRATEGY)
if(CAROM_MEMSET_STRATEGY)
  set_property(SOURCE src/engine/road.c APPEND PROPERTY COMPILE_OPTIONS -mmemset-strategy=libcall:-1:noalign)
endif()

# Sums over a few coefficients, in order: vectors do not help there, but for the loops marked with `#pragma omp simd`.
file(GLOB CAROM_SPRINGS CONFIGURE_DEPENDS src/laws/springs/*.c)
set_source_files_properties(${CAROM_SPRINGS} PROPERTIES COMPILE_OPTIONS -fno-tree-vectorize)

target_sources(carom_objects PRIVATE ${CAROM_ENGINE_SOURCES})
target_compile_options(carom_objects PRIVATE -fopenmp-simd)
set(CAROM_ENGINE_OBJECTS)

function(carom_engine isa)
  string(TOUPPER ${isa} ISA)
  check_c_compiler_flag("${ARGN}" CAROM_COMPILES_${ISA})
  if(NOT CAROM_COMPILES_${ISA})
    return()
  endif()
  add_library(carom_${isa} OBJECT ${CAROM_ENGINE_SOURCES})
  set_target_properties(carom_${isa} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_include_directories(carom_${isa} PRIVATE include ${CAROM_GENERATED} src)
  target_compile_definitions(carom_${isa} PRIVATE ENGINE=carom_engine_${isa})
  # gcc 12 joins products and alternating sums into one fused operation in its vectoriser of straight code, against -ffp-contract=off.
  target_compile_options(carom_${isa} PRIVATE -fopenmp-simd -fno-tree-slp-vectorize ${ARGN})
  target_link_libraries(carom_${isa} PRIVATE carom_flags)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/engine_${isa}.o)
  add_custom_command(OUTPUT ${object} DEPENDS carom_${isa} $<TARGET_OBJECTS:carom_${isa}> VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${CMAKE_LINKER} -r --unique -o ${object} $<TARGET_OBJECTS:carom_${isa}>
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=carom_engine_${isa} ${object})
  add_custom_target(carom_engine_${isa} DEPENDS ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_compile_definitions(carom_objects PRIVATE ENGINE_HAS_${ISA})
  add_dependencies(carom_objects carom_engine_${isa})
  set(CAROM_ENGINE_OBJECTS ${CAROM_ENGINE_OBJECTS} ${object} PARENT_SCOPE)
endfunction()

if(CAROM_ISA_VARIANTS AND CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_OBJCOPY)
  carom_engine(avx2 -mavx2 -mfma)
  carom_engine(avx512 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  # 32 vector registers hold chains that run side by side; 16 do not.
  if(TARGET carom_avx512)
    target_compile_options(carom_avx512 PRIVATE "$<$<C_COMPILER_ID:GNU>:-fschedule-insns;-fsched-pressure>")
  endif()
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
