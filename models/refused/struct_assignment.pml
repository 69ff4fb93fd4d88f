/* Wrong: structures cannot be assigned as a whole. */

typedef pair { byte a; byte b }
pair x, y

active proctype p()
{
	x.a = 1;
	y = x
}
