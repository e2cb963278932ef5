//! What writing and learning come to, as the documents that every way to ask gives.

use skillful::contract::{AuthoredDocument, RemarkJson};

use crate::author::{Done, Remark};
use crate::learn::Captured;

impl<'a> From<&'a Done> for AuthoredDocument<'a> {
    fn from(done: &'a Done) -> Self {
        let mut document = Self::new(done.outcome.as_str(), Some(&done.id), Some(&done.path));
        document.seq = done.seq;
        document.digest = done.digest.as_deref();
        document.remarks = remarks(&done.remarks);
        document
    }
}

impl<'a> From<&'a Captured> for AuthoredDocument<'a> {
    fn from(captured: &'a Captured) -> Self {
        let word = captured.outcome.as_str();
        let mut document = Self::new(word, captured.id.as_deref(), captured.path.as_deref());
        document.seq = captured.seq;
        document.reason = captured.outcome.reason();
        document.message.clone_from(&captured.detail);
        document.digest = captured.digest.as_deref();
        document.remarks = remarks(&captured.remarks);
        document
    }
}

fn remarks(remarks: &[Remark]) -> Vec<RemarkJson> {
    let remarks = remarks.iter().map(|remark| RemarkJson {
        code: remark.code(),
        message: remark.to_string(),
    });
    remarks.collect()
}
