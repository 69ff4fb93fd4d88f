// Arrays and symbolic constants as propositions.
mtype = { red, green };
mtype light[2] = red;

ltl one_green { [] !(light[0] == green && light[1] == green) }
ltl second_gets_green { [] <> (light[1] == green) }
ltl alternate { [] (light[0] == green -> (light[0] == green) U (light[0] == red)) }

active proctype Crossing() {
  byte i;
  do
  :: light[i] = green;
     light[i] = red;
     i = 1 - i
  :: light[0] = green;
     light[0] = red
  od
}
