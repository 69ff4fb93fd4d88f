//! Sizes and times as people write them.

use std::time::Duration;

/// `8G`, `512M`, `1.5GiB`, `1000000`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let unit = unit.to_ascii_uppercase();
    let factor: u64 = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err("expected a size such as `512M` or `8G`".to_owned()),
    };
    let bytes = positive(number, "a size such as `512M` or `8G`")? * factor as f64;
    Ok(bytes as u64)
}

/// `90s`, `10m`, `1h`, `500ms`, `90`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "a time such as `90s`, `10m` or `1h`";
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(format!("expected {EXPECTED}")),
    };
    Duration::try_from_secs_f64(positive(number, EXPECTED)? * seconds)
        .map_err(|_| format!("expected {EXPECTED}"))
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn positive(number: &str, expected: &str) -> Result<f64, String> {
    match number.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err(format!("expected {expected}")),
    }
}

/// Reads a weight; the result counts hundredths.
pub(crate) fn weight(text: &str) -> Result<u32, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if !(0.0..=1000.0).contains(&number) {
        return Err("it has to be between 0 and 1000".to_owned());
    }
    Ok((number * 100.0).round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("8G"), Ok(8 << 30));
        assert_eq!(size("1.5MiB"), Ok(3 << 19));
        assert_eq!(size("10 kB"), Ok(10 << 10));
        assert_eq!(size("77"), Ok(77));
        assert!(size("x").is_err() && size("0").is_err() && size("3Q").is_err());
    }

    #[test]
    fn times() {
        assert_eq!(time("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(time("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(time("0.5h"), Ok(Duration::from_secs(1800)));
        assert_eq!(time("250ms"), Ok(Duration::from_millis(250)));
        assert!(time("-1s").is_err() && time("5 weeks").is_err());
    }
}
