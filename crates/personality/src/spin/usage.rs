//! SPIN's list of options.

/// Printed where the options are wrong.
pub(super) const TEXT: &str = "\
use: spin [-option] ... [-option] file
\tNote: file must always be the last argument
\t-A statements that matter to no property
\t-a generate a verifier in pan.c
\t-B no final state details in simulations
\t-b don't execute printfs in simulation
\t-C print channel access info
\t-c columnated -s -r simulation output
\t-d produce symbol-table information
\t-Dyyy pass -Dyyy to the preprocessor
\t-Eyyy pass yyy to the preprocessor
\t-f \"..formula..\"  translate LTL into never claim
\t-F file  like -f, but with the LTL formula stored in a 1-line file
\t-g print all global variables
\t-h at end of run, print value of seed for random nr generator used
\t-i interactive (random simulation)
\t-I show result of inlining and preprocessing
\t-J reverse eval order of nested unlesses
\t-jN skip the first N steps in simulation trail
\t-k fname use the trailfile stored in file fname, see also -t
\t-l print all local variables
\t-M generate msc-flow
\t-m lose msgs sent to full queues
\t-N fname use never claim stored in file fname
\t-nN seed for random nr generator
\t-o1 turn off dataflow-optimizations in verifier
\t-o2 don't hide write-only variables in verifier
\t-o3 turn off statement merging in verifier
\t-Pxxx use xxx for preprocessing
\t-p print all statements
\t-pp pretty-print (reformat) stdin, write stdout
\t-qN suppress io for queue N in printouts
\t-r print receive events
\t-replay  replay an error trail-file found earlier
\t-run  (or -search) verify; options after it are those of the compiler and of pan:
\t\t-bfs -bfspar -dfspar -bitstate -collapse -hc -noclaim -noreduce -safety
\t\t-ltl p -i -a -l -f -mN -wN -cN -e -E -n -Dname ...
\t-s print send events
\t-T do not indent printf output
\t-t[N] follow [Nth] simulation trail, see also -k
\t-Uyyy pass -Uyyy to the preprocessor
\t-uN stop a simulation run after N steps
\t-v verbose, more warnings
\t-w very verbose (when combined with -l or -g)
\t-V print version number and exit
";
