// The claim goes on moving after the system has ended.
bit x;

never {
  x == 0;
  x == 1;
  x == 1;
  x == 1;
  x == 1;
  x == 1
}

active proctype A() {
  x = 1
}
