//! Long lists, page by page.

use axum::http::Uri;
use url::form_urlencoded;

use super::problem::Problem;
use crate::operations::Page;

/// How many entries a page may have: what was asked for, else the usual.
pub(crate) fn limit(asked: Option<usize>, usual: usize, most: usize) -> Result<usize, Problem> {
    match asked {
        None => Ok(usual),
        Some(limit) if (1..=most).contains(&limit) => Ok(limit),
        Some(limit) => Err(Problem::invalid(format_args!(
            "a page has 1 to {most} entries, not {limit}"
        ))),
    }
}

/// The `Link` header of a page (RFC 8288): where the next and the previous ones are.
pub(crate) fn links(uri: &Uri, page: Page, total: usize) -> String {
    let mut links = Vec::new();
    let mut add = |relation: &str, offset: usize| {
        links.push(format!("<{}>; rel=\"{relation}\"", at(uri, offset)));
    };
    if page.offset > 0 {
        add("prev", page.offset.saturating_sub(page.limit));
    }
    let next = page.offset.saturating_add(page.limit);
    if next < total {
        add("next", next);
    }
    links.join(", ")
}

/// The same request from another entry on.
fn at(uri: &Uri, offset: usize) -> String {
    let asked = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(asked.filter(|(name, _)| name != "offset"));
    query.append_pair("offset", &offset.to_string());
    format!("{}?{}", uri.path(), query.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_keep_the_rest_of_the_query() {
        let uri: Uri = "/api/v1/skills?text=a%20b&offset=20&limit=10"
            .parse()
            .unwrap();
        let page = Page {
            offset: 20,
            limit: 10,
        };
        assert_eq!(
            links(&uri, page, 45),
            "</api/v1/skills?text=a+b&limit=10&offset=10>; rel=\"prev\", \
             </api/v1/skills?text=a+b&limit=10&offset=30>; rel=\"next\""
        );
        assert_eq!(
            links(
                &"/x".parse().unwrap(),
                Page {
                    offset: 0,
                    limit: 10
                },
                10
            ),
            ""
        );
    }
}
