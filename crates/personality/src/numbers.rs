//! Numbers as C reads and prints them.

/// `atoi`: the number at the start of a text, 0 if there is none.
pub(crate) fn atoi(text: &str) -> i64 {
    let text = text.trim_start();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    match (&digits[..end], digits[..end].parse::<i64>()) {
        ("", _) => 0,
        (_, Ok(number)) => sign * number,
        (_, Err(_)) => i64::MAX,
    }
}

/// `%.{digits}g`.
pub(crate) fn general(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", without_zeros(mantissa), exponent.abs());
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    without_zeros(&format!("{value:.decimals$}")).to_owned()
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_c_reads_them() {
        assert_eq!((atoi("12x"), atoi("-3"), atoi("x"), atoi("")), (12, -3, 0, 0));
        assert_eq!(atoi("99999999999999999999"), i64::MAX);
    }

    #[test]
    fn numbers_are_printed_as_c_prints_them() {
        assert_eq!(general(813.0, 8), "813");
        assert_eq!(general(123_456_789.0, 8), "1.2345679e+08");
        assert_eq!(general(0.01, 3), "0.01");
        assert_eq!(general(0.0, 3), "0");
        assert_eq!(general(1.5e-7, 3), "1.5e-07");
        assert_eq!(general(12345.678, 8), "12345.678");
    }
}
