# cmake -DPROGRAM=... -DEXPECTED=... -P same-output.cmake: the program prints exactly what the file says.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE got RESULT_VARIABLE status)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} exited with ${status}")
endif()
if(NOT got STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} printed\n${got}\ninstead of\n${expected}")
endif()
