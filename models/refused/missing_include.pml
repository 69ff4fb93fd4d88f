/* Wrong: the included file does not exist. */

#include "no_such_file.h"

active proctype p() { skip }
