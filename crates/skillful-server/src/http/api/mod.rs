//! The interface for programs, by what it is about.

mod events;
mod look;
mod machine;
mod skills;

use aide::axum::ApiRouter;

use super::app::App;

/// All routes below `/api/v1`.
pub(crate) fn routes() -> ApiRouter<App> {
    ApiRouter::new()
        .merge(skills::routes())
        .merge(look::routes())
        .merge(machine::routes())
        .merge(events::routes())
}
