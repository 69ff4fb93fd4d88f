/* Wrong: the preprocessor is told to stop. */

#ifndef SIZE
#error SIZE must be defined on the command line
#endif

active proctype p() { skip }
