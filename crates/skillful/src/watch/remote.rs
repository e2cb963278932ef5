//! File systems on which changes by others are not reported.

use std::path::Path;

/// Whether what other machines (or a virtual machine's host) change at a path goes unreported.
#[cfg(target_os = "linux")]
pub(super) fn is_remote(path: &Path) -> bool {
    /// From the manual page statfs(2) and the kernel's `magic.h`: 9p, AFS, Ceph, CIFS, FUSE, NFS, SMB, SMB2, vboxsf.
    const REMOTE: [u32; 9] = [
        0x0102_1997,
        0x5346_414F,
        0x00C3_6400,
        0xFF53_4D42,
        0x6573_5546,
        0x0000_6969,
        0x0000_517B,
        0xFE53_4D42,
        0x786F_4256,
    ];
    rustix::fs::statfs(path).is_ok_and(|system| {
        // The type's own width and sign differ between machines; the numbers have 32 bits.
        let bytes = i128::from(system.f_type) & 0xFFFF_FFFF;
        REMOTE.iter().any(|magic| i128::from(*magic) == bytes)
    })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_remote(_: &Path) -> bool {
    false
}
