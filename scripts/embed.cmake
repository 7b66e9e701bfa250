# Writes OUT: a C table of the text of every file in FILES (relative to ROOT), so that the
# templates stay real files and the compiler stays one binary. Used by CMakeLists.txt.
set(body "/* Generated from templates/ by scripts/embed.cmake. */\n#include \"emit/text/template.h\"\n\n")
set(table "")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "([^\n]?[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,)" "\\1\n" bytes
         "${bytes}")
  string(MAKE_C_IDENTIFIER ${file} id)
  string(REGEX REPLACE "^templates/" "" name ${file})
  string(APPEND body "static const char ${id}[] = {\n${bytes}0};\n")
  string(APPEND table "    {\"${name}\", ${id}},\n")
endforeach()
file(WRITE ${OUT} "${body}\nconst Template embedded_templates[] = {\n${table}    {0, 0}};\n")
