//! The interface for programs, by what it is about. Each part says which of its routes need which scope.

mod change;
mod events;
mod install;
mod look;
mod machine;
mod rendered;
mod skills;

use aide::axum::ApiRouter;
use axum::middleware::from_fn_with_state;

use super::access::require;
use super::app::App;
use super::tokens::Scope;

/// All routes below `/api/v1`.
pub(crate) fn routes() -> ApiRouter<App> {
    let read = ApiRouter::new()
        .merge(skills::routes())
        .merge(look::routes())
        .merge(machine::routes())
        .merge(rendered::routes())
        .merge(events::routes())
        .merge(change::reading())
        .merge(install::reading());
    let write = change::writing().merge(install::writing());
    let admin = change::administering().merge(install::administering());
    needing(Scope::Read, read)
        .merge(needing(Scope::Write, write))
        .merge(needing(Scope::Admin, admin))
}

fn needing(scope: Scope, routes: ApiRouter<App>) -> ApiRouter<App> {
    routes.route_layer(from_fn_with_state(scope, require))
}
