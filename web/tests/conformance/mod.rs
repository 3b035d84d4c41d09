//! What holds in Node and in a browser alike.

mod arguments;
mod corpus;
mod door;
mod guards;
mod surface;
