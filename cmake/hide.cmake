# A static library with the global symbols of the public headers only. Its objects become one object, in which every function
# that is not CAROM_API (it was compiled with hidden visibility) is local: names inside Carom cannot clash with those of a program.
# Systems without GNU-like tools for ELF get the objects as they are.
function(carom_static_library name)
  set(objects ${ARGN})
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_OBJCOPY)
    set(whole ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
    add_custom_command(OUTPUT ${whole}
      COMMAND ${CMAKE_LINKER} -r -o ${whole}.all ${objects}
      COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${whole}.all ${whole}
      COMMAND ${CMAKE_COMMAND} -E rm ${whole}.all
      DEPENDS ${objects} COMMAND_EXPAND_LISTS VERBATIM)
    set(objects ${whole})
  endif()
  add_library(${name} STATIC ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
endfunction()
