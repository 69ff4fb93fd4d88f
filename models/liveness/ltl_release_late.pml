// The release comes one step too late: q falls before p rises.
bool p, q = true;

ltl released { p V q }
ltl weak { q W p }

active proctype A() {
  q = false;
  p = true
}
