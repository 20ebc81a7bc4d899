# Files as C arrays: carom_embed(OUT files...) writes OUT with one line EXAMPLE("name", "name.json", (bytes)) per file.
function(carom_embed out)
  set(text "/* Made by cmake/embed.cmake. */\n")
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    get_filename_component(stem ${file} NAME_WE)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}") # characters: bytes above 127 are negative
    string(APPEND text "EXAMPLE(\"${stem}\", \"${name}\", (${bytes}0))\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
endfunction()

# The cases and scenes that come with Carom (src/io/words/shipped.c), for a target; files that match without are left
# out.
function(carom_embed_shipped target root without)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/generated/${target})
  file(GLOB cases CONFIGURE_DEPENDS ${root}/examples/cases/*.json ${root}/examples/cases/*.jsonl)
  file(GLOB scenes CONFIGURE_DEPENDS ${root}/scenes/*.json)
  if(without)
    list(FILTER cases EXCLUDE REGEX ${without})
    list(FILTER scenes EXCLUDE REGEX ${without})
  endif()
  carom_embed(${folder}/examples_data.def ${cases})
  carom_embed(${folder}/scenes_data.def ${scenes})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
