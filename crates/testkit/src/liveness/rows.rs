//! Recorded answers of SPIN as test cases.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use spinor_check::{Fairness, Loaded};

use super::answer::{Answer, Way, ask, read};
use crate::classify::{ErrorKind, classify_message};
use crate::conformance::Judgement;
use crate::golden::{self, Row};

/// A model, perhaps with a claim from elsewhere, and what is known about it.
#[derive(Clone, Debug)]
pub struct Case {
    /// For messages; `#include` is relative to its folder.
    pub name: String,
    /// The text.
    pub text: String,
    /// Macros from outside.
    pub defines: Vec<String>,
    /// What is known.
    pub facts: Vec<Fact>,
}

/// What is known about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Where it is recorded.
    pub config: String,
    /// As on the command line.
    pub property: String,
    /// Among which runs.
    pub fairness: Fairness,
    /// Whether some run violates it, or why that is not known.
    pub violated: Result<bool, String>,
}

/// Where SPIN's recorded answer is wrong: model, end of the configuration, the right
/// answer and why.
const CORRECTED: [(&str, &str, bool, &str); 6] = [
    ("parity/fb_A.pml", "-a -f", true, SKIPS),
    ("parity/t_inclaim.pml", "", true, "`timeout` in a claim is false if no process has one"),
    ("parity/ltlp1.pml", "-a", false, SWALLOWS),
    ("parity/ltlbad1.pml", "-a", true, SWALLOWS),
    ("parity/ltl_words.pml", "-a", false, SWALLOWS),
    ("parity/accatom.pml", "-a -f", true, "one process: fairness cannot matter"),
];

const SKIPS: &str = "SPIN skips processes when it tries all of them again";
const SWALLOWS: &str = "SPIN reads `[] x < 4` as `([] x) < 4`";

/// Our own models: `golden.tsv`, recorded, and `expected.tsv`, which has the last word.
///
/// # Errors
/// A file cannot be read.
pub fn model_cases(dir: &Path) -> io::Result<Vec<Case>> {
    let mut facts: BTreeMap<(String, String, String), Result<bool, String>> = BTreeMap::new();
    let key = |row: &Row| {
        let cell = |name| row.get(name).unwrap_or_default().to_owned();
        (row.model().to_owned(), cell("property"), cell("fairness"))
    };
    for row in golden::read(&dir.join("golden.tsv"))? {
        let said = row.get("verdict").unwrap_or_default();
        facts.insert(key(&row), violated(said, true));
    }
    for row in golden::read(&dir.join("expected.tsv"))? {
        facts.insert(key(&row), Ok(row.get("verdict") == Some("violated")));
    }
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    for ((model, property, fairness), violated) in facts {
        let path = dir.join(&model).with_extension("pml");
        if !cases.contains_key(&model) {
            let text = std::fs::read_to_string(&path)?;
            let name = path.display().to_string();
            let defines = golden::defines(&text);
            cases.insert(model.clone(), Case { name, text, defines, facts: Vec::new() });
        }
        let case = cases.get_mut(&model).expect("it was just put there");
        let config = format!("{property}, {fairness}");
        let fairness = fairness_named(&fairness);
        case.facts.push(Fact { config, property, fairness, violated });
    }
    Ok(cases.into_values().collect())
}

fn fairness_named(name: &str) -> Fairness {
    [Fairness::Weak, Fairness::Strong]
        .into_iter()
        .find(|f| f.name() == name)
        .unwrap_or(Fairness::None)
}

/// The rows of a corpus of collected models that are about infinite runs.
///
/// # Errors
/// A file cannot be read.
pub fn corpus_cases(dir: &Path) -> io::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for row in golden::read(&dir.join("golden.tsv"))? {
        if let Some(question) = row.config().strip_prefix("E.") {
            collected(dir, &row, question, &mut cases)?;
        }
    }
    for row in golden::read(&dir.join("parity.tsv"))? {
        small(dir, &row, &mut cases)?;
    }
    Ok(cases)
}

/// `ltl.NAME.a`, `never.NAME.af`, `file:F.a`, `accept.a`, `np.lf`, perhaps with `.AE` or `.NR`.
fn collected(dir: &Path, row: &Row, question: &str, cases: &mut Vec<Case>) -> io::Result<()> {
    let (question, with_errors_off) = match question.strip_suffix(".AE") {
        Some(rest) => (rest, true),
        None => (question.strip_suffix(".NR").unwrap_or(question), false),
    };
    let Some((what, flags)) = question.rsplit_once('.') else { return Ok(()) };
    let fairness = if flags.ends_with('f') { Fairness::Weak } else { Fairness::None };
    let path = dir.join(row.model());
    let mut text = read_text(&path)?;
    let own_asserts = text.contains("assert");
    let property = match what.split_once('.') {
        Some(("ltl", name)) => name.to_owned(),
        Some(("never", _)) => "never".to_owned(),
        _ if what == "accept" => "acceptance".to_owned(),
        _ if what == "np" => "non-progress".to_owned(),
        _ => {
            let Some(file) = what.strip_prefix("file:") else { return Ok(()) };
            let claim = read_text(&path.with_file_name(file))?;
            if file.ends_with(".prp") {
                // The formula says which runs are wanted, not which are forbidden.
                text.push_str(&format!("\nltl from_file {{ !({claim}) }}\n"));
                "from_file".to_owned()
            } else {
                text.push('\n');
                text.push_str(&claim);
                "never".to_owned()
            }
        }
    };
    let said = row.get("verdict").unwrap_or_default();
    let is_ltl = !matches!(property.as_str(), "never" | "acceptance" | "non-progress");
    let violated = match violated(said, is_ltl && !own_asserts) {
        Ok(false) if with_errors_off && is_ltl => {
            Err("SPIN was told to ignore the assertions of its own claim".to_owned())
        }
        other => other,
    };
    let fact = Fact { config: row.config().to_owned(), property, fairness, violated };
    add(cases, row.model(), &path, text, fact);
    Ok(())
}

/// A row of the small models: the flags tell what was asked.
fn small(dir: &Path, row: &Row, cases: &mut Vec<Case>) -> io::Result<()> {
    let file = format!("parity/{}.pml", row.model());
    let path = dir.join(&file);
    let cell = |name| row.get(name).unwrap_or_default();
    let (cc, pan) = (cell("cc_flags"), cell("pan_flags"));
    let has = |flag| pan.split_whitespace().any(|f| f == flag);
    let Ok(text) = read_text(&path) else { return Ok(()) };
    let has_claim = ["never", "ltl"]
        .iter()
        .any(|word| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == *word));
    let is_about_claim = has_claim && !cc.contains("NOCLAIM") && !cc.contains("-DNP");
    if !has("-a") && !has("-l") && !is_about_claim || cc.contains("-DNOSTUTTER") {
        return Ok(());
    }
    let property = if has("-l") {
        "non-progress".to_owned()
    } else if !is_about_claim {
        "acceptance".to_owned()
    } else if let Some(at) = pan.find("-N ") {
        pan[at + 3..].split_whitespace().next().unwrap_or_default().to_owned()
    } else {
        claim_name(&text)
    };
    let said = match cell("messages").split('@').next() {
        _ if row.number("errors") == Some(0) => "ok",
        Some(message) => message,
        None => "unknown",
    };
    let own_asserts = text.contains("assert");
    let mut violated = violated(said, property != "never" && !own_asserts);
    if !has("-a") && !has("-l") && violated == Ok(false) && text.contains("accept") {
        violated = Err("SPIN was not asked for cycles".to_owned());
    }
    if !has("-a") && !has("-l") && violated == Ok(false) && property != "never" {
        violated = Err("SPIN was not asked for cycles".to_owned());
    }
    let fairness = if has("-f") { Fairness::Weak } else { Fairness::None };
    let fact =
        Fact { config: format!("{cc} {pan}").trim().to_owned(), property, fairness, violated };
    add(cases, &file, &path, text, fact);
    Ok(())
}

/// SPIN's default claim: the first `ltl` block, or the never claim.
fn claim_name(text: &str) -> String {
    let mut words =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
    while let Some(word) = words.next() {
        if word == "ltl" {
            return words.next().unwrap_or_default().to_owned();
        }
    }
    "never".to_owned()
}

fn read_text(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
}

fn add(cases: &mut Vec<Case>, model: &str, path: &Path, text: String, mut fact: Fact) {
    let corrected = CORRECTED.iter().find(|c| {
        c.0 == model && fact.config.ends_with(c.1) && fact.violated.as_ref() == Ok(&!c.2)
    });
    if let Some((_, _, right, _)) = corrected {
        fact.violated = Ok(*right);
    }
    let name = path.display().to_string();
    match cases.iter_mut().find(|c| c.name == name && c.text == text) {
        Some(case) => case.facts.push(fact),
        None => cases.push(Case { name, text, defines: Vec::new(), facts: vec![fact] }),
    }
}

const REFUSED: &str = "SPIN refused it";

/// What SPIN's words mean for a property; an assertion may be the claim's own.
fn violated(said: &str, assertion_counts: bool) -> Result<bool, String> {
    match said {
        "ok" => return Ok(false),
        "limit" | "" => return Err("SPIN did not finish".to_owned()),
        "claim violated" => return Ok(true),
        "spin_fail" | "refused" => return Err(REFUSED.to_owned()),
        _ => {}
    }
    match classify_message(said) {
        ErrorKind::AcceptanceCycle | ErrorKind::NonProgressCycle | ErrorKind::ClaimViolated => {
            Ok(true)
        }
        ErrorKind::Assertion if assertion_counts => Ok(true),
        _ => Err("another error stopped SPIN".to_owned()),
    }
}

/// How the reason begins if Spinor has no answer.
pub const UNDECIDED: &str = "not decided";

/// Checks every fact of a case in every way.
#[must_use]
pub fn judge(case: &Case, ways: &[Way], limit: Duration) -> Vec<Judgement> {
    let loaded = match read(&case.name, &case.text, &case.defines) {
        Ok(loaded) => loaded,
        Err(reason) => {
            let refusal = |fact: &Fact| match &fact.violated {
                Err(why) if why == REFUSED => Judgement::Agrees,
                _ => Judgement::Differs(format!("refused: {reason}")),
            };
            return case.facts.iter().map(refusal).collect();
        }
    };
    case.facts.iter().map(|fact| judge_fact(&loaded, fact, ways, limit)).collect()
}

fn judge_fact(loaded: &Loaded, fact: &Fact, ways: &[Way], limit: Duration) -> Judgement {
    let wanted = match &fact.violated {
        Ok(wanted) => *wanted,
        Err(reason) => return Judgement::Skipped(reason.clone()),
    };
    let property = actual_name(loaded, &fact.property);
    let mut unknown = None;
    for way in ways.iter().filter(|way| way.knows(fact.fairness)) {
        let answer = match ask(loaded, &property, fact.fairness, way, limit) {
            Answer::Unknown(reason) => {
                unknown = Some(format!("{UNDECIDED}: {}: {reason}", way.name()));
                continue;
            }
            Answer::Failed(reason) => {
                return Judgement::Differs(format!("{}: {reason}", way.name()));
            }
            Answer::Violated => true,
            Answer::Holds => false,
        };
        if answer != wanted {
            let word = |violated| if violated { "violated" } else { "holds" };
            return Judgement::Differs(format!(
                "{}: expected {}, found {}",
                way.name(),
                word(wanted),
                word(answer)
            ));
        }
    }
    unknown.map_or(Judgement::Agrees, Judgement::Skipped)
}

/// An `ltl` block without a name has one of our making: it is the only one then.
fn actual_name(loaded: &Loaded, property: &str) -> String {
    if matches!(property, "never" | "acceptance" | "non-progress") {
        return property.to_owned();
    }
    let names = loaded.model.iter().flat_map(|m| &m.ltl).map(|l| l.name.to_string());
    let names: Vec<String> = names.collect();
    match names.as_slice() {
        [only] if only != property => only.clone(),
        _ => property.to_owned(),
    }
}
