//! Every limit of the write side. Reaching one is an error that names it.
