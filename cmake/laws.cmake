# Lists of law files from src/laws/laws.def, since no macro can write an #include: the laws whose kernel is part of src/engine/road.c
# (CAROM_LOOP_LAWS; generated/engine/laws_with_loops.inc), and the laws of each file src/derivative/<numbers>_numbers.cpp
# (generated/derivative/<numbers>_laws.inc, with the table of their descriptors). CAROM_ROOT is the folder that has src; the lists lie below CAROM_GENERATED.
set(CAROM_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/generated)
file(STRINGS ${CAROM_ROOT}/src/laws/laws.def rows REGEX "^CAROM_LAW\\(")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CAROM_ROOT}/src/laws/laws.def)
set(CAROM_LOOP_LAWS)
set(end ";") # which would cut a list in two
set(loops)
foreach(row ${rows})
  string(REGEX REPLACE "^CAROM_LAW\\(([^,]+), ([^,]+), ([^,]+), ([^,]+), .*" "\\1;\\2;\\4" words "${row}")
  list(GET words 0 symbol)
  list(GET words 1 kind)
  list(GET words 2 numbers)
  if(NOT kind STREQUAL SINGLE)
    list(APPEND CAROM_LOOP_LAWS ${CAROM_ROOT}/src/laws/${symbol}.c)
    string(APPEND loops "#include \"laws/${symbol}.c\"\n")
  endif()
  list(APPEND number_files ${numbers})
  string(APPEND files_of_${numbers} "#include \"laws/${symbol}.c\"\n")
  string(APPEND table_of_${numbers} "    &carom_law_${symbol},\n")
endforeach()
file(CONFIGURE OUTPUT ${CAROM_GENERATED}/engine/laws_with_loops.inc CONTENT "${loops}")
list(REMOVE_DUPLICATES number_files)
foreach(numbers ${number_files})
  file(CONFIGURE OUTPUT ${CAROM_GENERATED}/derivative/${numbers}_laws.inc CONTENT
    "${files_of_${numbers}}\nstatic const carom_law *const laws[] = {\n${table_of_${numbers}}}@end@\n" @ONLY)
endforeach()
