/* The smallest bodies: skip only, a label only, a lone block, a loop that is left at once.
   Expected: holds. */

active proctype a() { skip }
active proctype b() { end: }
active proctype c() { { skip } }
active proctype d() { do :: break od }
active proctype e() { goto l; l: skip }
