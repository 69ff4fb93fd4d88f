//! Process automata as graphs.
