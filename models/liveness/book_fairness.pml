// Chapter 8: the plain cycle runs B alone, the weakly fair one runs both.
active proctype A()
{
    bit i;

    accept:
        do
            :: i = 1-i
        od
}

active proctype B()
{
    bit i;

    do
        :: i = 1-i
    od
}
