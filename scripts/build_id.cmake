# Writes OUT, a header with the build id of `fusec --version`: git's name of the commit, or, without
# git, a hash of the sources in ROOT. Changes OUT only when the id changes.
execute_process(COMMAND git -C ${ROOT} describe --always --dirty --exclude=*
  OUTPUT_VARIABLE id OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  file(GLOB_RECURSE files LIST_DIRECTORIES false
       ${ROOT}/src/* ${ROOT}/runtime/* ${ROOT}/grammar/* ${ROOT}/templates/*)
  list(SORT files)
  set(hashes "")
  foreach(file IN LISTS files)
    file(SHA256 ${file} hash)
    string(APPEND hashes ${hash})
  endforeach()
  string(SHA256 id "${hashes}")
  string(SUBSTRING ${id} 0 12 id)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define FUSEC_BUILD \"${id}\"\n")
