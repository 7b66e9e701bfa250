# fusec_add_model(TARGET MODEL.fx
#                 [FN name]             only this function of the model
#                 [LANGUAGE C|CUDA]     of the emitted source; C where nothing is said
#                 [ARCH sm_90a]         CUDA: the architecture that it is emitted for
#                 [MARCH native]        C: the processor that it is compiled for (-march)
#                 [DIMS N=1024 ..]      fixed dims
#                 [OPTIONS -O3 ..])     more options of fusec
#
# Emits the source of a model while TARGET is built, compiles it into TARGET, and puts its header,
# MODEL.h, on the include path of TARGET. The source is emitted again when the model changes, or a
# file that it imports. How its functions are called: docs/calling.md.
function(fusec_add_model target model)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "FN;LANGUAGE;ARCH;MARCH" "DIMS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "fusec_add_model: what is '${ARG_UNPARSED_ARGUMENTS}"
                        "${ARG_KEYWORDS_MISSING_VALUES}'?")
  endif()
  if(ARG_ARCH AND NOT ARG_LANGUAGE)
    set(ARG_LANGUAGE CUDA)
  endif()
  _fusec_language("${ARG_LANGUAGE}" "${ARG_ARCH}" language suffix)

  cmake_path(ABSOLUTE_PATH model NORMALIZE)
  cmake_path(GET model STEM LAST_ONLY name)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/fusec/${target})
  set(source ${folder}/${name}.${suffix})
  set(header ${folder}/${name}.h)
  file(MAKE_DIRECTORY ${folder})

  set(options ${ARG_OPTIONS})
  foreach(dim IN LISTS ARG_DIMS)
    list(APPEND options -D ${dim})
  endforeach()
  if(ARG_FN)
    list(APPEND options --fn=${ARG_FN})
  endif()
  if(ARG_ARCH)
    list(APPEND options --arch=${ARG_ARCH})
  endif()
  add_custom_command(OUTPUT ${source} ${header}
    COMMAND fusec::command ${model} ${options} -o ${source} -MD -MF ${source}.d
    COMMAND fusec::command ${model} ${options} --target=${language} -o ${header}
    MAIN_DEPENDENCY ${model} DEPFILE ${source}.d
    COMMENT "Emitting ${name}.${suffix}" VERBATIM)
  target_sources(${target} PRIVATE ${source} ${header})
  target_include_directories(${target} PRIVATE ${folder})
  if(language STREQUAL c)
    _fusec_compile_c(${target} ${source} "${ARG_MARCH}")
  elseif(ARG_ARCH)
    string(REGEX REPLACE "^sm_" "" number ${ARG_ARCH})
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES ${number})
  endif()
endfunction()

# Of the emitted source: what fusec calls its language, and its suffix.
function(_fusec_language wanted arch language suffix)
  string(TOLOWER "${wanted}" wanted)
  if(NOT wanted MATCHES "^(c|cuda|)$")
    message(FATAL_ERROR "fusec_add_model: LANGUAGE is C or CUDA, not '${wanted}'")
  elseif(arch AND NOT wanted STREQUAL cuda)
    message(FATAL_ERROR "fusec_add_model: ARCH is for LANGUAGE CUDA; C has MARCH")
  elseif(wanted STREQUAL cuda AND NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "fusec_add_model: CUDA is not enabled: enable_language(CUDA)")
  endif()
  set(${language} c PARENT_SCOPE)
  set(${suffix} c PARENT_SCOPE)
  if(wanted STREQUAL cuda)
    set(${language} cuda PARENT_SCOPE)
    set(${suffix} cu PARENT_SCOPE)
  endif()
endfunction()

# As docs/calling.md has it: optimised in every configuration, and with OpenMP where there is one.
function(_fusec_compile_c target source march)
  set(options -std=c11 -O3 -ffp-contract=fast)
  if(march)
    list(APPEND options -march=${march})
  endif()
  find_package(OpenMP QUIET COMPONENTS C)
  if(OpenMP_C_FOUND)
    list(APPEND options ${OpenMP_C_FLAGS})
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_C)
  endif()
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
  target_link_libraries(${target} PRIVATE m)
endfunction()
