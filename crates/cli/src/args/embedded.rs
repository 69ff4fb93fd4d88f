//! Options about embedded C.

use crate::quantities;
use clap::Args;
use spinor_check::{COptions, CPolicy};
use std::path::PathBuf;
use std::time::Duration;

/// What is done with the C code of a model.
#[derive(Clone, Debug, Args)]
pub(crate) struct CArgs {
    /// Compile and run the C code of the model: it runs with all your rights
    #[arg(long, help_heading = "Embedded C")]
    pub(crate) allow_c: bool,
    /// C compiler, or a C++ compiler [default: $CC, or cc]
    #[arg(long, value_name = "PROGRAM", help_heading = "Embedded C")]
    pub(crate) c_compiler: Option<String>,
    /// Source, object or archive that belongs to the model's C code (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Embedded C")]
    pub(crate) c_file: Vec<PathBuf>,
    /// Option for the C compiler (repeatable), as `--c-flag=-lm`
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true, help_heading = "Embedded C")]
    pub(crate) c_flag: Vec<String>,
    /// Longest time that one piece of C code may take
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = quantities::time, help_heading = "Embedded C")]
    pub(crate) c_limit: Duration,
}

impl CArgs {
    /// What to do with embedded C; nothing takes longer than `timeout`.
    pub(crate) fn policy(&self, timeout: Option<Duration>) -> CPolicy {
        if !self.allow_c {
            return CPolicy::Refuse;
        }
        CPolicy::Compile(COptions {
            compiler: self.c_compiler.clone(),
            files: self.c_file.clone(),
            flags: self.c_flag.clone(),
            call_limit: timeout.map_or(self.c_limit, |timeout| timeout.min(self.c_limit)),
            ..COptions::default()
        })
    }

    /// The options again, as words for a command line.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.allow_c {
            words.push("--allow-c".to_owned());
        }
        words.extend(self.c_compiler.iter().map(|c| format!("--c-compiler={c}")));
        words.extend(self.c_file.iter().map(|f| format!("--c-file={}", f.display())));
        words.extend(self.c_flag.iter().map(|f| format!("--c-flag={f}")));
        words
    }
}
