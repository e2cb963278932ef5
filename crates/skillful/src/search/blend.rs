//! Search by meaning, beside search by words: an embedding model of the user's may be blended in.
//!
//! The crate brings no model. Whoever embeds it passes an [`Embedder`], and both rankings are fused by their ranks
//! (reciprocal rank fusion), so that neither the scale of the model's similarities nor that of the scores matters.

use rayon::prelude::*;

use super::document::Document;
use super::index::Index;
use super::rank::{Hit, Options};

/// Turns texts into vectors, texts of similar meaning into similar vectors.
pub trait Embedder: Send + Sync {
    /// One vector for each text, all of the same length.
    ///
    /// # Errors
    ///
    /// What the model says.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// A model could not embed texts, or did so in a way that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The model failed.
    #[error("the embedding model failed: {0}")]
    Model(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Not one vector for each text, or vectors of different lengths.
    #[error("the embedding model gave {0}")]
    Shape(String),
}

/// Texts that are embedded at once.
const BATCH: usize = 64;

/// How far behind the first ranks still count. The usual value of the method.
const RANK_OFFSET: f64 = 60.0;

/// How many hits of each ranking are fused.
const DEPTH: usize = 100;

/// An index with the vectors of its skills.
pub struct Blended<E> {
    index: Index,
    embedder: E,
    /// The vectors of all skills, each of length 1 unless it is all zeros.
    vectors: Vec<Vec<f32>>,
}

impl<E> std::fmt::Debug for Blended<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blended")
            .field("skills", &self.index.len())
            .finish_non_exhaustive()
    }
}

impl<E: Embedder> Blended<E> {
    /// Embeds the name and description of each of the sources that `index` was built from.
    ///
    /// # Errors
    ///
    /// [`EmbedError`] of the first batch that failed.
    pub fn new<'s, S>(
        index: Index,
        embedder: E,
        sources: &'s [S],
        document: impl Fn(&'s S) -> Document<'s>,
    ) -> Result<Self, EmbedError> {
        let mut vectors = Vec::with_capacity(sources.len());
        for batch in sources.chunks(BATCH) {
            let texts: Vec<String> = batch
                .iter()
                .map(|source| {
                    let document = document(source);
                    format!(
                        "{}: {} {}",
                        document.name, document.description, document.when
                    )
                })
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            vectors.append(&mut embed(&embedder, &texts, vectors.first())?);
        }
        Ok(Self {
            index,
            embedder,
            vectors,
        })
    }

    /// The index alone.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The skills that fit a request, by words and by meaning. The scores are those of the fusion, from 0 to 1.
    ///
    /// A request that is exactly an id or a name gives that skill first, whatever the model says.
    ///
    /// # Errors
    ///
    /// [`EmbedError`] when the request cannot be embedded.
    pub fn search(&self, request: &str, options: &Options<'_>) -> Result<Vec<Hit<'_>>, EmbedError> {
        let deep = Options {
            limit: options.limit.max(DEPTH),
            ..*options
        };
        let by_words = self.index.search(request, &deep);
        let exact = self.index.is_name(request);
        let vector = embed(&self.embedder, &[request], self.vectors.first())?
            .pop()
            .unwrap_or_default();
        let by_meaning = self.nearest(&vector, deep.limit);
        let fused = fuse(&[
            by_words.iter().map(|hit| hit.document).collect(),
            by_meaning,
        ]);
        let mut hits: Vec<Hit<'_>> = fused
            .into_iter()
            .map(|(document, score)| {
                let known = by_words.iter().find(|hit| hit.document == document);
                Hit {
                    document,
                    id: self.index.id(document),
                    score,
                    reasons: known.map(|hit| hit.reasons.clone()).unwrap_or_default(),
                }
            })
            .collect();
        if let (true, Some(first)) = (exact, by_words.first()) {
            hits.sort_by_key(|hit| hit.document != first.document);
        }
        hits.truncate(options.limit);
        Ok(hits)
    }

    fn nearest(&self, vector: &[f32], limit: usize) -> Vec<usize> {
        let mut near: Vec<(usize, f32)> = self
            .vectors
            .par_iter()
            .map(|other| other.iter().zip(vector).map(|(a, b)| a * b).sum())
            .enumerate()
            .collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.into_iter()
            .take(limit)
            .map(|(document, _)| document)
            .collect()
    }
}

/// The vectors of texts, brought to length 1.
fn embed(
    embedder: &impl Embedder,
    texts: &[&str],
    like: Option<&Vec<f32>>,
) -> Result<Vec<Vec<f32>>, EmbedError> {
    let mut vectors = embedder.embed(texts)?;
    if vectors.len() != texts.len() {
        return Err(EmbedError::Shape(format!(
            "{} vectors for {} texts",
            vectors.len(),
            texts.len()
        )));
    }
    let length = like.or(vectors.first()).map_or(0, Vec::len);
    if let Some(odd) = vectors.iter().find(|vector| vector.len() != length) {
        return Err(EmbedError::Shape(format!(
            "vectors of {length} and of {} numbers",
            odd.len()
        )));
    }
    for vector in &mut vectors {
        let norm = vector
            .iter()
            .map(|number| number * number)
            .sum::<f32>()
            .sqrt();
        if norm.is_normal() {
            for number in vector.iter_mut() {
                *number /= norm;
            }
        }
    }
    Ok(vectors)
}

/// Reciprocal rank fusion: documents by the sum of what their ranks are worth, scaled so that first in all is 1.
fn fuse(rankings: &[Vec<usize>]) -> Vec<(usize, f64)> {
    let mut scores = std::collections::BTreeMap::new();
    for ranking in rankings {
        for (rank, &document) in ranking.iter().enumerate() {
            *scores.entry(document).or_insert(0.0) += RANK_OFFSET / (RANK_OFFSET + rank as f64);
        }
    }
    let mut fused: Vec<(usize, f64)> = scores
        .into_iter()
        .map(|(document, score)| (document, score / rankings.len() as f64))
        .collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts letters: texts of the same letters mean the same.
    struct Letters;

    impl Embedder for Letters {
        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            let count =
                |text: &str, letter: u8| text.bytes().filter(|&byte| byte == letter).count() as f32;
            Ok(texts
                .iter()
                .map(|text| (b'a'..=b'z').map(|letter| count(text, letter)).collect())
                .collect())
        }
    }

    struct Broken;

    impl Embedder for Broken {
        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            Ok(texts
                .iter()
                .enumerate()
                .map(|(place, _)| vec![0.0; place])
                .collect())
        }
    }

    fn document<'a>(text: &'a &'static str) -> Document<'a> {
        Document {
            id: text,
            name: text,
            ..Document::default()
        }
    }

    #[test]
    fn what_words_do_not_find_meaning_does() {
        let names = ["listen", "banana", "zebra"];
        let index = Index::build(&names, document);
        assert!(index.search("silent", &Options::default()).is_empty());
        let blended = Blended::new(index, Letters, &names, document).unwrap();
        assert_eq!(
            blended.search("silent", &Options::default()).unwrap()[0].id,
            "listen"
        );
        let exact = blended.search("zebra", &Options::default()).unwrap();
        assert_eq!(exact[0].id, "zebra");
    }

    #[test]
    fn a_model_that_answers_oddly_is_an_error() {
        let names = ["one", "two"];
        let blended = Blended::new(Index::build(&names, document), Broken, &names, document);
        assert!(blended.unwrap_err().to_string().contains("numbers"));
    }

    #[test]
    fn first_in_both_is_first() {
        let fused = fuse(&[vec![2, 1, 0], vec![2, 0, 1]]);
        assert_eq!(fused[0], (2, 1.0));
        assert_eq!(fused[1].0, 0);
    }
}
