//! Where values come from and where they go: what the engines for shell, Python and JavaScript share.

pub(crate) mod consequences;
mod hosts;
mod paths;
mod taint;

pub(crate) use hosts::{HostKind, host_kind, names_outside_host, renews_tokens, worst_host};
pub(crate) use paths::{PathKind, path_kind};
pub(crate) use taint::{Flow, Taint};
