/* Two named never claims in one model; a run uses one of them.
   Expected: the system is safe; too_big finds nothing, reaches_two reaches its end. */

byte x

active proctype p() { do :: x < 2 -> x++ :: x == 2 -> x = 0 od }

never too_big { do :: x > 2 -> break :: else od }
never reaches_two { do :: x == 2 -> break :: x != 2 od }
