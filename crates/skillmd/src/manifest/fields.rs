//! From a field's name to its place in the manifest.

use super::Manifest;
use super::slot::{Slot, Source, Taken};
use crate::field::{Field, FieldValue, for_each_field};

macro_rules! define_places {
    ($($variant:ident, $name:literal, $($place:ident).+;)*) => {
        impl Manifest {
            /// The value of a field, when it is set.
            pub fn value(&self, field: Field) -> Option<FieldValue<'_>> {
                match field { $(Field::$variant => self.$($place).+.value(),)* }
            }

            /// Reads `source` into a field, unless it is set already.
            pub(super) fn take(&mut self, field: Field, source: &mut Source<'_, '_>) -> Taken {
                match field { $(Field::$variant => self.$($place).+.fill(source),)* }
            }
        }
    };
}
for_each_field!(define_places);

impl Manifest {
    /// The set fields with their values, in the order of [`Field::ALL`]; Codex's sidecar last, as `codex`.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, FieldValue<'_>)> {
        let fields = Field::ALL
            .iter()
            .filter_map(|&field| Some((field.as_str(), self.value(field)?)));
        let sidecar = self
            .sidecar
            .iter()
            .map(|sidecar| ("codex", sidecar.value()));
        fields.chain(sidecar)
    }
}
