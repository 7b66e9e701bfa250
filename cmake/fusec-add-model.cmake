# fusec_add_model(TARGET MODEL.fx
#                 [FN name]             only this function of the model
#                 [LANGUAGE C|CUDA]     of the emitted source; default: C
#                 [ARCH sm_90a]         CUDA: the architecture that it is emitted for
#                 [MARCH native]        C: the processor that it is compiled for (-march)
#                 [NAME name]           of the emitted files; default: that of MODEL
#                 [DIMS N=1024 ..]      fixed dims
#                 [OPTIONS -O3 ..])     further options of fusec
#
# Emits the source of a model while TARGET is built, compiles it into TARGET, and puts its header,
# MODEL.h, on the include path of TARGET. The source is emitted again when the model changes, or a
# file that it imports. How its functions are called: docs/calling.md.
#
# To add a model twice to one target, for instance with another FN, give each its own NAME. NAME names
# files only: two functions of one name do not link.
function(fusec_add_model target model)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "FN;LANGUAGE;ARCH;MARCH;NAME" "DIMS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "fusec_add_model: unknown argument, or one without a value: "
                        "'${ARG_UNPARSED_ARGUMENTS}${ARG_KEYWORDS_MISSING_VALUES}'")
  endif()
  if(ARG_ARCH AND NOT ARG_LANGUAGE)
    set(ARG_LANGUAGE CUDA)
  endif()
  _fusec_language("${ARG_LANGUAGE}" "${ARG_ARCH}" language suffix)

  cmake_path(ABSOLUTE_PATH model NORMALIZE)
  _fusec_name(${target} ${model} "${ARG_NAME}" name)
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
    DEPENDS ${model} DEPFILE ${source}.d
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

# The language of the emitted source as --target names it, and its suffix.
function(_fusec_language wanted arch language suffix)
  string(TOLOWER "${wanted}" wanted)
  if(NOT wanted MATCHES "^(c|cuda|)$")
    message(FATAL_ERROR "fusec_add_model: LANGUAGE is C or CUDA, not '${wanted}'")
  elseif(arch AND NOT wanted STREQUAL cuda)
    message(FATAL_ERROR "fusec_add_model: ARCH is for LANGUAGE CUDA; C has MARCH")
  endif()
  set(${language} c PARENT_SCOPE)
  set(${suffix} c PARENT_SCOPE)
  set(needed C)
  if(wanted STREQUAL cuda)
    set(${language} cuda PARENT_SCOPE)
    set(${suffix} cu PARENT_SCOPE)
    set(needed CUDA)
  endif()
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT needed IN_LIST enabled)
    message(FATAL_ERROR "fusec_add_model: ${needed} is not enabled: enable_language(${needed})")
  endif()
endfunction()

# The name of the emitted files; an error if another model of the target has it.
function(_fusec_name target model wanted result)
  cmake_path(GET model STEM LAST_ONLY name)
  if(wanted)
    set(name ${wanted})
  endif()
  get_property(taken TARGET ${target} PROPERTY FUSEC_NAMES)
  if(name IN_LIST taken)
    message(FATAL_ERROR "fusec_add_model: ${target} has a ${name}.h already: "
                        "NAME gives the files of ${model} another name")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY FUSEC_NAMES ${name})
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# By the flags of docs/calling.md: optimised in every configuration, with OpenMP if it is found.
function(_fusec_compile_c target source march)
  set(options -std=c11 -O3 -ffp-contract=fast)
  if(march)
    list(APPEND options -march=${march})
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    list(APPEND options -Wno-psabi) # a note on vector arguments; all functions that have them are inlined
  endif()
  find_package(OpenMP QUIET COMPONENTS C)
  if(OpenMP_C_FOUND)
    list(APPEND options ${OpenMP_C_FLAGS})
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_C)
  endif()
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
  target_link_libraries(${target} PRIVATE m)
endfunction()
