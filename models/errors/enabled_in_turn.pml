/* Each asks whether the other could move: neither question has an answer. */
byte g;
active proctype A() { do :: enabled(1) -> g = 1 od }
active proctype B() { do :: enabled(0) -> g = 2 od }
