//! How much memory there is.

use std::path::Path;

/// Three quarters of the memory that this process may use, and half of its address space, as
/// tables are there twice while they grow; none if unknown.
pub(crate) fn default_limit() -> Option<u64> {
    let limits = [installed(), control_group()].map(|limit| Some(limit? / 4 * 3));
    let address_space = spinor_check::address_space().map(|bytes| bytes / 2);
    limits.into_iter().chain([address_space]).flatten().min()
}

fn installed() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// The smallest limit of the control groups around this process.
fn control_group() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let read = |path: &Path| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            c if c.split(',').any(|c| c == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let folder = Path::new(root).join(group.trim_start_matches('/'));
        limits.extend(
            folder
                .ancestors()
                .take_while(|f| f.starts_with(root))
                .filter_map(|f| read(&f.join(file))),
        );
    }
    limits.into_iter().min()
}
