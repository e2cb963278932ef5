//! Learned skills as those who embed it meet them: captured, judged by use and by their checks.

#![expect(clippy::unwrap_used, reason = "a test ends where its helpers fail")]

mod capture;
mod grade;
mod world;
