//! Bytes as hexadecimal digits.

/// The digits of the bytes, in lower case.
pub(crate) fn digits(bytes: impl IntoIterator<Item = u8>) -> String {
    let nibble = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes
        .into_iter()
        .flat_map(|byte| [nibble(byte >> 4), nibble(byte & 15)])
        .collect()
}
