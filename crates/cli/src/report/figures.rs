//! Numbers for people.

use std::time::Duration;

/// `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 state`, `1,234 states`.
pub(crate) fn plural(number: u64, word: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {word}{s}", count(number))
}

/// `512 B`, `12 kB`, `3.4 MB`, `1.2 GB`.
pub(crate) fn bytes(number: u64) -> String {
    let value = number as f64;
    match number {
        0..1024 => format!("{number} B"),
        1024..0x10_0000 => format!("{:.0} kB", value / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.1} MB", value / 1_048_576.0),
        _ => format!("{:.2} GB", value / 1_073_741_824.0),
    }
}

/// `0.02 s`, `12.3 s`, `3 min 20 s`.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 10.0 {
        format!("{seconds:.2} s")
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(7), "7");
        assert_eq!(count(1234), "1,234");
        assert_eq!(count(123_456_789), "123,456,789");
        assert_eq!(plural(1, "state"), "1 state");
        assert_eq!(bytes(3 << 20), "3.0 MB");
        assert_eq!(time(Duration::from_secs(200)), "3 min 20 s");
    }
}
