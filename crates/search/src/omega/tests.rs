//! Cycle searches against brute force on random graphs.

mod behind_tests;
mod brute;
mod component_tests;
mod lasso_tests;
mod nested_tests;
mod parallel_tests;
mod web;
