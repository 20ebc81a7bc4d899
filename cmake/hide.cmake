# A static library with the global symbols of the public headers only. Its objects become one object, in which every function
# that is not CAROM_API (it was compiled with hidden visibility) is local: names inside Carom cannot clash with those of a program.
# Sections stay apart (--unique), so that a program linked with --gc-sections holds no more than it calls.
# Systems without GNU-like tools for ELF get the objects as they are.
function(carom_static_library name)
  set(objects ${ARGN})
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_OBJCOPY)
    set(whole ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
    add_library(${name}_parts STATIC EXCLUDE_FROM_ALL ${objects}) # a library: make knows no files of other targets
    set_target_properties(${name}_parts PROPERTIES LINKER_LANGUAGE C)
    add_custom_command(OUTPUT ${whole}
      COMMAND ${CMAKE_LINKER} -r --unique -o ${whole}.all --whole-archive $<TARGET_FILE:${name}_parts>
      COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${whole}.all ${whole}
      COMMAND ${CMAKE_COMMAND} -E rm ${whole}.all
      DEPENDS ${name}_parts VERBATIM)
    set(objects ${whole})
  endif()
  add_library(${name} STATIC ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
endfunction()
