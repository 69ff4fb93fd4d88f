//! The options of the verifier.

use super::directives::Directives;
use crate::numbers::atoi;

/// Which claim is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClaimChoice {
    /// By SPIN's number.
    Number(i64),
    /// By name.
    Name(String),
}

/// A replay inside the verifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReplayWish {
    /// The number of the trail, 0 for none.
    pub number: i64,
    /// A file.
    pub file: Option<String>,
    /// `-C`.
    pub columns: bool,
    /// `-S`: only what the model prints.
    pub silent: bool,
    /// `-g`: messages with their values.
    pub values: bool,
    /// `-PN`: only this process.
    pub only: Option<i64>,
}

/// Options of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunOptions {
    pub acceptance: bool,
    pub non_progress: bool,
    pub fairness: bool,
    pub no_asserts: bool,
    pub no_ends: bool,
    pub depth_is_error: bool,
    /// Stop at this error; 0: never.
    pub stop_at: i64,
    pub every_error: bool,
    /// `-i` or `-I`.
    pub shorten: bool,
    pub claim: Option<ClaimChoice>,
    pub inner_unless_first: bool,
    /// `-m`, if it is given.
    pub depth: Option<i64>,
    pub no_unreached: bool,
    pub verbose: bool,
    /// `-d` this many times.
    pub tables: u32,
    pub dot: bool,
    pub version: bool,
    pub minutes: Option<i64>,
    pub threads: Option<i64>,
    pub keep_trails: bool,
    pub read_only_trails: bool,
    pub suffix: String,
    /// `-w`, if it is given.
    pub size: Option<i64>,
    pub bits: i64,
    /// Megabytes of a bitstate table.
    pub megabytes: Option<i64>,
    pub to_stdout: bool,
    pub replay: Option<ReplayWish>,
    /// Said before the search, one line each.
    pub warnings: Vec<String>,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            acceptance: false,
            non_progress: false,
            fairness: false,
            no_asserts: false,
            no_ends: false,
            depth_is_error: false,
            stop_at: 1,
            every_error: false,
            shorten: false,
            claim: None,
            inner_unless_first: false,
            depth: None,
            no_unreached: false,
            verbose: false,
            tables: 0,
            dot: false,
            version: false,
            minutes: None,
            threads: None,
            keep_trails: false,
            read_only_trails: false,
            suffix: "trail".to_owned(),
            size: None,
            bits: 3,
            megabytes: None,
            to_stdout: false,
            replay: None,
            warnings: Vec::new(),
        }
    }
}

/// A command line that pan answers with its list of options; the reason comes before it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub String);

impl RunOptions {
    /// Reads the words of a command line; `claims` is the number of claims.
    pub fn parse(args: &[String], directives: &Directives, claims: usize) -> Result<Self, Refused> {
        let mut options = RunOptions::default();
        let mut rest = args.iter().peekable();
        while let Some(word) = rest.next_if(|word| word.starts_with('-')) {
            let letter = word.chars().nth(1).unwrap_or('\0');
            let tail = word.get(2..).unwrap_or("");
            let is_number = tail.starts_with(|c: char| c.is_ascii_digit());
            match letter {
                'N' if directives.has("NOCLAIM") => {}
                'N' => {
                    let name =
                        if tail.is_empty() { rest.next_if(|w| !w.starts_with('-')) } else { None };
                    options.choose_claim(tail, name, claims);
                }
                'r' if word.starts_with("-rhash") => {}
                'r' | 'C' | 'g' | 'S' => {
                    let file = if is_number { None } else { rest.next_if(|w| !w.starts_with('-')) };
                    let wish = options.replay.get_or_insert_default();
                    wish.number = if is_number { atoi(tail) } else { 0 };
                    wish.file = file.cloned().or(wish.file.take());
                    wish.columns |= letter == 'C';
                    wish.silent |= letter == 'S';
                    wish.values |= letter == 'g';
                }
                'P' => {
                    if let Some(wish) = &mut options.replay {
                        wish.only = Some(atoi(tail));
                    }
                }
                _ => options.letter(letter, word, tail, directives)?,
            }
        }
        if options.fairness && !(options.acceptance || options.non_progress) {
            return Err(Refused("error: -f requires the use of -a or -l\n".to_owned()));
        }
        if options.depth.is_some_and(|depth| depth <= 0) || options.size.is_some_and(|w| w <= 1) {
            return Err(Refused(String::new()));
        }
        Ok(options)
    }

    fn letter(
        &mut self,
        letter: char,
        word: &str,
        tail: &str,
        directives: &Directives,
    ) -> Result<(), Refused> {
        let number = atoi(tail);
        match letter {
            'a' if directives.has("NP") => {
                self.warnings.push("warning: -a is disabled by -DNP, ignored".to_owned());
            }
            'a' | 'l' | 'f' if directives.safety() => {
                return Err(Refused(format!("saw option -{letter}\n")));
            }
            'a' => self.acceptance = true,
            'l' if directives.has("NP") => self.non_progress = true,
            'l' => {
                let reason = "error: -l not available (compile with -DNP)".to_owned();
                return Err(Refused(reason));
            }
            'f' if directives.has("NOFAIR") => return Err(Refused("saw option -f\n".to_owned())),
            'f' => self.fairness = true,
            'A' => self.no_asserts = true,
            'b' => self.depth_is_error = true,
            'c' => self.stop_at = number,
            'D' => (self.dot, self.tables) = (true, self.tables + 1),
            'd' => self.tables += 1,
            'e' => (self.every_error, self.stop_at) = (true, 0),
            'E' => self.no_ends = true,
            'I' => self.shorten = true,
            'i' if word.starts_with("-i_reverse") => {}
            'i' => self.shorten = true,
            'J' => self.inner_unless_first = true,
            'k' => self.bits = number.max(1),
            'M' => self.megabytes = Some(number),
            'G' => self.megabytes = Some(number.saturating_mul(1024)),
            'm' => self.depth = Some(number),
            'n' => self.no_unreached = true,
            'Q' => self.minutes = Some(number),
            'T' if !tail.is_empty() => {}
            'T' => self.read_only_trails = true,
            't' if word.starts_with("-t_reverse") || tail.is_empty() => {}
            't' => self.suffix = tail.to_owned(),
            'u' => self.threads = Some(number),
            'V' => self.version = true,
            'v' => self.verbose = true,
            'w' => self.size = Some(number),
            'X' => self.to_stdout = true,
            'x' => self.keep_trails = true,
            // The model was told of `-q`. Hash functions, seeds, orders, hand-offs: nothing here depends on them.
            'h' | 'L' | 'p' | 'q' | 'R' | 'Y' | 'z' | 'F' => {}
            _ => return Err(Refused(format!("saw option -{letter}\n"))),
        }
        Ok(())
    }

    fn choose_claim(&mut self, tail: &str, name: Option<&String>, claims: usize) {
        match claims {
            0 => self.warnings.push("warning: no claims defined, -N ignored".to_owned()),
            1 => self.warnings.push("warning: only one claim defined, -N ignored".to_owned()),
            _ if tail.starts_with(|c: char| c.is_ascii_digit()) => {
                self.claim = Some(ClaimChoice::Number(atoi(tail)));
            }
            _ if !tail.is_empty() => self.claim = Some(ClaimChoice::Name(tail.to_owned())),
            _ => self.claim = name.cloned().map(ClaimChoice::Name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str, directives: &str, claims: usize) -> Result<RunOptions, Refused> {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        RunOptions::parse(&words(line), &Directives::of(&words(directives)), claims)
    }

    #[test]
    fn options_are_read() {
        let options =
            parse("-a -f -m500 -w20 -c3 -E -n -tsuf -N p", "", 2).expect("they are right");
        assert!(options.acceptance && options.fairness && options.no_ends && options.no_unreached);
        assert_eq!((options.depth, options.size, options.stop_at), (Some(500), Some(20), 3));
        assert_eq!(options.claim, Some(ClaimChoice::Name("p".into())));
        assert_eq!(options.suffix, "suf");
    }

    #[test]
    fn what_pan_refuses_is_refused() {
        assert!(parse("-l", "", 0).is_err());
        assert!(parse("-a", "-DSAFETY", 0).is_err());
        assert!(parse("-f", "", 0).is_err());
        assert!(parse("-m0", "", 0).is_err());
        assert_eq!(parse("-y", "", 0).err(), Some(Refused("saw option -y\n".into())));
        assert!(parse("-l", "-DNP", 0).is_ok_and(|o| o.non_progress));
    }

    #[test]
    fn replays_have_a_number_or_a_file() {
        let wish = |line: &str| parse(line, "", 0).expect("right").replay.expect("a replay");
        assert_eq!(wish("-r3").number, 3);
        assert_eq!(wish("-r x.trail").file.as_deref(), Some("x.trail"));
        assert!(wish("-C").columns && wish("-S").silent);
        assert_eq!(wish("-r -P2").only, Some(2));
    }
}
