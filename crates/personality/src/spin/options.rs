//! The options of `spin`.
//!
//! Only the first letter of an option counts, as in SPIN: `-pgl` is `-p`. The first word that is no
//! option is the model; what follows it is not looked at.

use crate::numbers::atoi;
use spinor_check::Define;

/// What a command line asks for.
pub(crate) enum Ask {
    /// The list of options.
    Usage(Option<&'static str>),
    /// `-V`.
    Version,
    /// `-pp`.
    PrettyPrint,
    /// Options that cannot be combined.
    Conflict(&'static str),
    /// Something with a model.
    Go(Box<SpinOptions>),
}

/// A trail to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TrailChoice {
    /// The trail of the model with this number, 0 for none.
    Number(i64),
    /// A file.
    File(String),
}

/// What follows `-search`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchWords {
    /// For the C compiler.
    pub compile: Vec<String>,
    /// For the verifier.
    pub run: Vec<String>,
    /// Repeated searches with different seeds: how many.
    pub iterations: Option<u64>,
}

/// What `-p -g -l -r -s -v -w` want to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Views {
    pub globals: bool,
    pub locals: bool,
    pub statements: bool,
    pub receives: bool,
    pub sends: bool,
    pub verbose: bool,
    /// Unchanged values too.
    pub all_values: bool,
}

/// Options in front of the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpinOptions {
    pub analyse: bool,
    pub slice: bool,
    pub no_final_state: bool,
    pub no_printf: bool,
    pub channel_access: bool,
    pub columns: bool,
    pub chart: bool,
    pub defines: Vec<Define>,
    /// Folders of `-E-I…`.
    pub folders: Vec<String>,
    pub symbols: bool,
    pub product: bool,
    /// `-L`, for `-e`.
    pub strict_product: bool,
    pub formula: Option<String>,
    pub formula_file: Option<String>,
    pub show_seed: bool,
    pub interactive: bool,
    pub inlined: bool,
    pub inner_unless_first: bool,
    pub skip: i64,
    pub trail: Option<TrailChoice>,
    pub lossy: bool,
    pub claim_file: Option<String>,
    pub seed: Option<i64>,
    pub old_scopes: bool,
    pub no_dead_variables: bool,
    pub keep_write_only: bool,
    pub no_merging: bool,
    pub old_priorities: bool,
    pub no_implied_semicolons: bool,
    pub preprocessor: Option<String>,
    pub hidden_channels: Vec<i64>,
    pub search: Option<SearchWords>,
    pub replay: bool,
    pub no_indent: bool,
    pub cutoff: i64,
    pub tables: bool,
    pub for_gui: bool,
    pub preprocess_only: bool,
    pub views: Views,
    /// The model.
    pub file: Option<String>,
}

/// Reads a command line.
pub(crate) fn parse(args: &[String]) -> Ask {
    let mut options = SpinOptions::default();
    let mut rest = args.iter().peekable();
    while let Some(word) = rest.next_if(|word| word.starts_with('-')) {
        let mut letters = word[1..].chars();
        let letter = letters.next().unwrap_or('\0');
        let tail = letters.as_str();
        let mut argument = || rest.next().cloned();
        match letter {
            'A' => options.slice = true,
            'a' => options.analyse = true,
            'B' => options.no_final_state = true,
            'b' => options.no_printf = true,
            'C' => options.channel_access = true,
            'c' => options.columns = true,
            'D' => options.defines.push(define(tail)),
            'd' => options.symbols = true,
            'E' => options.for_preprocessor(tail),
            'e' => options.product = true,
            'F' => options.formula_file = argument(),
            'f' => options.formula = argument(),
            'g' => options.views.globals = true,
            'h' => options.show_seed = true,
            'i' => options.interactive = true,
            'I' => options.inlined = true,
            'J' => options.inner_unless_first = true,
            'j' => options.skip = atoi(tail),
            'k' => options.trail = argument().map(TrailChoice::File),
            'L' => options.strict_product = true,
            'Y' | 'W' => {}
            'l' => options.views.locals = true,
            'M' => options.chart = true,
            'm' => options.lossy = true,
            'N' => options.claim_file = argument(),
            'n' => options.seed = Some(atoi(tail)),
            'O' => options.old_scopes = true,
            'o' => {
                if !options.optimisation(tail) {
                    return Ask::Usage(Some("spin: bad or missing parameter on -o\n"));
                }
            }
            'P' => options.preprocessor = Some(tail.to_owned()),
            'p' if tail.starts_with('p') => return Ask::PrettyPrint,
            'p' => options.views.statements = true,
            'q' => options.hidden_channels.push(atoi(tail)),
            _ if matches!(word.as_str(), "-run" | "-search" | "-replay") => {
                if options.tables {
                    return Ask::Conflict("cannot combine -x with -run -replay or -search");
                }
                options.replay = word == "-replay";
                options.analyse = true;
                options.search = Some(search_words(&mut rest));
            }
            'r' => options.views.receives = true,
            'S' => options.analyse = true,
            's' if word == "-simulate" => {}
            's' => options.views.sends = true,
            'T' => options.no_indent = true,
            't' => {
                let number =
                    if tail.starts_with(|c: char| c.is_ascii_digit()) { atoi(tail) } else { 0 };
                options.trail = Some(TrailChoice::Number(number));
            }
            'U' => options.defines.push(Define::Undefine(tail.to_owned())),
            'u' => options.cutoff = atoi(tail),
            'v' => options.views.verbose = true,
            'V' => return Ask::Version,
            'w' => options.views.all_values = true,
            'x' => {
                if options.search.is_some() {
                    return Ask::Conflict("cannot combine -x with -run -search or -replay");
                }
                options.tables = true;
                options.no_merging = !options.no_merging;
            }
            'X' => (options.for_gui, options.no_indent) = (true, true),
            'Z' => options.preprocess_only = true,
            _ => return Ask::Usage(None),
        }
    }
    options.file = rest.next().cloned();
    Ask::Go(Box::new(options))
}

impl SpinOptions {
    /// `-o1` to `-o7`; false if there is no such one.
    fn optimisation(&mut self, tail: &str) -> bool {
        match tail.chars().next() {
            Some('1') => self.no_dead_variables = !self.no_dead_variables,
            Some('2') => self.keep_write_only = !self.keep_write_only,
            Some('3') => self.no_merging = !self.no_merging,
            // Rendezvous tests and case caching: how pan is compiled, nothing else.
            Some('4' | '5') => {}
            Some('6') => self.old_priorities = true,
            Some('7') => self.no_implied_semicolons = true,
            _ => return false,
        }
        true
    }

    /// `-E…`: something for the C preprocessor.
    fn for_preprocessor(&mut self, word: &str) {
        if let Some(folder) = word.strip_prefix("-I") {
            self.folders.push(folder.trim().to_owned());
        } else if let Some(text) = word.strip_prefix("-D") {
            self.defines.push(define(text));
        } else if let Some(name) = word.strip_prefix("-U") {
            self.defines.push(Define::Undefine(name.to_owned()));
        }
    }
}

/// `NAME`, `NAME=VALUE`.
pub(crate) fn define(text: &str) -> Define {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    Define::Define(name.to_owned(), value.to_owned())
}

/// Options of `-search` that stand for directives, whether they are kept for the verifier too.
const DIRECTIVES: [(&str, &str, bool); 18] = [
    ("-bfspar", "-DBFS_PAR", false),
    ("-bfs", "-DBFS", false),
    ("-bcs", "-DBCS", false),
    ("-bitstate", "-DBITSTATE", false),
    ("-bit", "-DBITSTATE", false),
    ("-hc", "-DHC4", false),
    ("-collapse", "-DCOLLAPSE", false),
    ("-noclaim", "-DNOCLAIM", false),
    ("-noreduce", "-DNOREDUCE", false),
    ("-np", "-DNP", false),
    ("-permuted", "-DPERMUTED", false),
    ("-p_permute", "-DPERMUTED", true),
    ("-p_rotate", "-DPERMUTED", true),
    ("-p_reverse", "-DPERMUTED", true),
    ("-rhash", "-DPERMUTED", true),
    ("-safety", "-DSAFETY", false),
    ("-i", "-DREACH", true),
    ("-l", "-DNP", true),
];

fn search_words<'a>(
    rest: &mut std::iter::Peekable<impl Iterator<Item = &'a String>>,
) -> SearchWords {
    let mut words = SearchWords::default();
    while let Some(word) = rest.next_if(|word| word.starts_with('-')) {
        match word.chars().nth(1) {
            Some('D' | 'O' | 'U') => words.compile.push(word.clone()),
            Some('W') => {}
            _ if word == "-ltl" => {
                words.run.push("-N".to_owned());
                words.run.extend(rest.next().cloned());
            }
            _ if word == "-link" => words.compile.extend(rest.next().cloned()),
            _ => words.run_word(word),
        }
    }
    words
}

impl SearchWords {
    fn run_word(&mut self, word: &str) {
        for many in ["-biterate", "-swarm"] {
            if let Some(count) = word.strip_prefix(many) {
                let count =
                    if count.starts_with(|c: char| c.is_ascii_digit()) { atoi(count) } else { 10 };
                self.iterations = Some(count.max(1).unsigned_abs());
                return;
            }
        }
        if word.starts_with("-dfspar") {
            self.compile.push("-DNCORE=4".to_owned());
            return;
        }
        if let Some((_, directive, keep)) =
            DIRECTIVES.iter().find(|(see, ..)| word.starts_with(see))
        {
            self.compile.push((*directive).to_owned());
            if !keep {
                return;
            }
        }
        self.run.push(word.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn go(line: &str) -> SpinOptions {
        match parse(&words(line)) {
            Ask::Go(options) => *options,
            _ => panic!("{line} asks for nothing with a model"),
        }
    }

    #[test]
    fn options_before_search_are_for_the_model_those_after_it_for_the_search() {
        let options = go("-DN=2 -o3 -search -DNOREDUCE -bfs -m100 -ltl p -i model.pml -f");
        assert!(matches!(&options.defines[..], [Define::Define(n, v)] if n == "N" && v == "2"));
        assert!(options.no_merging);
        let search = options.search.expect("there is one");
        assert_eq!(search.compile, ["-DNOREDUCE", "-DBFS", "-DREACH"]);
        assert_eq!(search.run, ["-m100", "-N", "p", "-i"]);
        assert_eq!(options.file.as_deref(), Some("model.pml"));
    }

    #[test]
    fn trails_have_numbers_or_names() {
        assert_eq!(go("-t m").trail, Some(TrailChoice::Number(0)));
        assert_eq!(go("-t12 -p m").trail, Some(TrailChoice::Number(12)));
        assert_eq!(go("-k x.trail m").trail, Some(TrailChoice::File("x.trail".into())));
    }

    #[test]
    fn toggles_toggle() {
        assert!(!go("-o3 -o3 m").no_merging);
        assert!(matches!(parse(&words("-o9 m")), Ask::Usage(Some(_))));
        assert!(matches!(parse(&words("-y m")), Ask::Usage(None)));
    }
}
