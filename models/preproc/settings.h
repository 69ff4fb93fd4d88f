/* Shared settings for models/preproc/include.pml. */
#ifndef SETTINGS_H
#define SETTINGS_H
#define LIMIT 3
#define STEP(v) v = (v + 1) % LIMIT
mtype = { from_header, last_name }
inline note(v) { STEP(v) }
#endif
