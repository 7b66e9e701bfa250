#include <stdio.h>
#include "/etc/passwd"
