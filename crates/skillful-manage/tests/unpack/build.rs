//! Archives, ZIP and tar, built byte by byte, so that they can be wrong in ways that no library writes.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

/// A member of a ZIP archive, byte by byte.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) name: Vec<u8>,
    pub(crate) local_name: Option<Vec<u8>>,
    pub(crate) content: Vec<u8>,
    pub(crate) mode: u32,
    pub(crate) deflate: bool,
    pub(crate) flags: u16,
    pub(crate) method: Option<u16>,
    pub(crate) crc: Option<u32>,
    pub(crate) stated: Option<u32>,
}

pub(crate) fn member(name: impl AsRef<[u8]>) -> Member {
    Member {
        name: name.as_ref().to_vec(),
        local_name: None,
        content: b"content".to_vec(),
        mode: 0o100_644,
        deflate: false,
        flags: 0,
        method: None,
        crc: None,
        stated: None,
    }
}

impl Member {
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

pub(crate) fn zip(members: &[Member]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut list = Vec::new();
    for member in members {
        let packed = if member.deflate {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&member.content).unwrap();
            encoder.finish().unwrap()
        } else {
            member.content.clone()
        };
        let method = member.method.unwrap_or(if member.deflate { 8 } else { 0 });
        let crc = member.crc.unwrap_or_else(|| crc32(&member.content));
        let size = member
            .stated
            .unwrap_or(u32::try_from(member.content.len()).unwrap());
        let packed_size = u32::try_from(packed.len()).unwrap();
        let offset = u32::try_from(out.len()).unwrap();
        let facts = |out: &mut Vec<u8>| {
            out.extend(20_u16.to_le_bytes());
            out.extend(member.flags.to_le_bytes());
            out.extend(method.to_le_bytes());
            out.extend([0; 2]);
            out.extend(0x21_u16.to_le_bytes());
            out.extend(crc.to_le_bytes());
            out.extend(packed_size.to_le_bytes());
            out.extend(size.to_le_bytes());
        };
        let local = member.local_name.as_ref().unwrap_or(&member.name);
        out.extend(b"PK\x03\x04");
        facts(&mut out);
        out.extend(u16::try_from(local.len()).unwrap().to_le_bytes());
        out.extend([0; 2]);
        out.extend(local);
        out.extend(&packed);
        list.extend(b"PK\x01\x02");
        list.extend([20, 3]);
        facts(&mut list);
        list.extend(u16::try_from(member.name.len()).unwrap().to_le_bytes());
        list.extend([0; 8]);
        list.extend((member.mode << 16).to_le_bytes());
        list.extend(offset.to_le_bytes());
        list.extend(&member.name);
    }
    let count = u16::try_from(members.len()).unwrap();
    let (start, length) = (out.len(), list.len());
    out.extend(&list);
    out.extend(b"PK\x05\x06");
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(u32::try_from(length).unwrap().to_le_bytes());
    out.extend(u32::try_from(start).unwrap().to_le_bytes());
    out.extend([0; 2]);
    out
}

/// A member of a tar archive: a header with the name as it is, and the content.
pub(crate) fn block(name: &[u8], kind: u8, mode: u32, content: &[u8]) -> Vec<u8> {
    sized(name, kind, mode, content, content.len() as u64)
}

pub(crate) fn sized(name: &[u8], kind: u8, mode: u32, content: &[u8], size: u64) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.as_mut_bytes()[156] = kind;
    header.set_cksum();
    let mut out = header.as_bytes().to_vec();
    out.extend(content);
    out.resize(out.len().next_multiple_of(512), 0);
    out
}

pub(crate) fn file(name: &str) -> Vec<u8> {
    block(name.as_bytes(), b'0', 0o644, b"content")
}

pub(crate) fn link(name: &str, kind: u8, target: &str) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.as_mut_bytes()[157..157 + target.len()].copy_from_slice(target.as_bytes());
    header.set_mode(0o777);
    header.set_size(0);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.as_mut_bytes()[156] = kind;
    header.set_cksum();
    header.as_bytes().to_vec()
}

pub(crate) fn pax(kind: u8, records: &[(&str, &str)]) -> Vec<u8> {
    let mut content = Vec::new();
    for (key, value) in records {
        let rest = format!(" {key}={value}\n");
        let mut length = rest.len() + 1;
        while length.to_string().len() + rest.len() != length {
            length += 1;
        }
        content.extend(format!("{length}{rest}").as_bytes());
    }
    block(b"PaxHeaders/x", kind, 0o644, &content)
}

pub(crate) fn tar(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut out = parts.concat();
    out.extend([0; 1024]);
    out
}

pub(crate) fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
