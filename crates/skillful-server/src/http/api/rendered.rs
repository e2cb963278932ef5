//! A skill's instructions for people.

use aide::axum::ApiRouter;
use aide::axum::routing::get_with;
use axum::extract::State;

use crate::http::app::App;
use crate::http::extract::In;
use crate::http::reply::Answered;
use crate::operations::RenderedDocument;

pub(super) fn routes() -> ApiRouter<App> {
    ApiRouter::new().api_route(
        "/skills/{id}/rendered",
        get_with(rendered, |it| {
            it.summary("Its instructions as HTML that can do nothing")
                .description("No script, no style, nothing that is loaded. Relative links lead to files of the skill.")
        }),
    )
}

async fn rendered(
    State(app): State<App>,
    In(id): In<String>,
) -> Answered<RenderedDocument<'static>> {
    app.answer(move |engine| engine.rendered(&id)).await
}
