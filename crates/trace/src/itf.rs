//! Runs in the Informal Trace Format of Apalache.
//!
//! Global variables and channels are variables of the trace. Processes come and go, so they
//! are one variable: a map from pids to records. A channel is a list of tuples.

mod value;

use crate::snapshot::{channel_names, is_own_channel, load};
use crate::{Interest, Move, ReplayError, Run, Teller, View};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use spinor_exec::Shape;
use spinor_sema::hir::Type;
use spinor_ts::TransitionSystem;
use value::Value;

/// Where the format is described.
const FORMAT: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";
/// The variable that has the processes.
const PROCESSES: &str = "_processes";

/// A trace, to be written as JSON.
#[derive(Debug, Serialize)]
pub struct Itf {
    #[serde(rename = "#meta")]
    meta: Meta,
    vars: Vec<String>,
    /// The run repeats from the state of this number on.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    loop_: Option<usize>,
    states: Vec<State>,
}

#[derive(Debug, Serialize)]
struct Meta {
    format: &'static str,
    #[serde(rename = "format-description")]
    format_description: &'static str,
    source: String,
    description: String,
}

#[derive(Debug)]
struct State {
    meta: StateMeta,
    values: Vec<(String, Value)>,
}

/// The step that leads to a state.
#[derive(Debug, Default, Serialize)]
struct StateMeta {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len() + 1))?;
        map.serialize_entry("#meta", &self.meta)?;
        for (name, value) in &self.values {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Itf {
    /// The trace of a run; `description` says what is wrong with it.
    ///
    /// # Errors
    /// The run is none of this model.
    pub fn of_run(view: &mut View<'_>, run: &Run, description: &str) -> Result<Self, ReplayError> {
        let mut states = Vec::new();
        let mut loop_ = None;
        if let Ok(mut state) = view.exec.initial() {
            let interest = Interest::default();
            let mut teller = Teller::new(&interest);
            states.push(view.itf_state(&state, StateMeta::default()));
            for (number, &step) in run.moves.iter().enumerate() {
                if run.cycle_start == Some(number) {
                    loop_ = Some(states.len() - 1);
                }
                let told = match step {
                    Move::Event(event) => {
                        teller.event(view, &state, event).ok_or(ReplayError::at(number + 1))?
                    }
                    Move::Stutter => teller.stutter(view, &state),
                };
                if told.violation.is_some() && number + 1 < run.moves.len() {
                    return Err(ReplayError::at(number + 2));
                }
                for (step, after) in told.steps.into_iter().zip(&told.states) {
                    let meta = StateMeta {
                        index: states.len(),
                        process: step.who.pid.map(|pid| format!("{}({pid})", step.who.name)),
                        at: Some(step.at.at.to_string()).filter(|at| !at.is_empty()),
                        action: Some(step.statement),
                    };
                    states.push(view.itf_state(after, meta));
                }
                state = told.next;
            }
            // The last state is the one where the loop begins: it is there already.
            if loop_.is_some_and(|start| start + 1 < states.len()) {
                states.pop();
            }
        }
        let vars = states.first().map(|s| s.values.iter().map(|(name, _)| name.clone()).collect());
        Ok(Itf {
            meta: Meta {
                format: "ITF",
                format_description: FORMAT,
                source: view
                    .sources
                    .files()
                    .first()
                    .map_or_else(String::new, |f| f.name.to_string()),
                description: description.to_owned(),
            },
            vars: vars.unwrap_or_default(),
            loop_,
            states,
        })
    }
}

impl View<'_> {
    fn itf_state(&self, state: &[u8], meta: StateMeta) -> State {
        let mut values = Vec::new();
        let mut processes = Vec::new();
        let claims = usize::from(self.claim.is_some());
        for (number, (name, record)) in self.itf_parts(state).into_iter().enumerate() {
            match number.checked_sub(1 + claims) {
                None if number == 0 => values.extend(record),
                None => values.push((name, Value::Record(record))),
                Some(pid) => processes.push((pid, Value::Record(record))),
            }
        }
        let map = processes.into_iter().map(|(pid, v)| (Value::Int(pid as i32), v));
        values.push((PROCESSES.to_owned(), Value::Map(map.collect())));
        State { meta, values }
    }

    fn itf_value(&self, shape: &Shape, ty: Type, value: i32) -> Value {
        match ty {
            Type::Bool if (0..=1).contains(&value) => Value::Bool(value == 1),
            Type::Mtype(_) | Type::Chan => Value::Text(self.shown(shape, ty, value)),
            _ => Value::Int(value),
        }
    }

    /// Globals, claim, processes: names and what they hold.
    fn itf_parts(&self, state: &[u8]) -> Vec<(String, Vec<(String, Value)>)> {
        let shape = self.exec.shape(state);
        let mut found = Vec::new();
        for (number, part) in self.parts(&shape).into_iter().enumerate() {
            let mut fields = Vec::new();
            let is_process = number > usize::from(self.claim.is_some());
            if is_process {
                let name = part.prefix.split('(').next().unwrap_or_default();
                fields.push(("_name".to_owned(), Value::Text(name.to_owned())));
                let pid = number - 1 - usize::from(self.claim.is_some());
                let at = self.location(state, pid);
                fields.push(("_location".to_owned(), Value::Int(at.0 as i32)));
            }
            for leaf in part.area.leaves.iter().filter(|leaf| !is_own_channel(&part, leaf)) {
                let number = load(&shape, state, &part, leaf);
                Value::insert(&mut fields, &leaf.name, self.itf_value(&shape, leaf.ty, number));
            }
            for (i, name) in channel_names(&part).into_iter().enumerate() {
                let channel = shape.channels[part.channels_before + i];
                let Some(messages) = self.buffer(state, channel) else { continue };
                let types = &self.program.channel_types[channel.ty.0 as usize].types;
                let tuple = |message: Vec<i32>| {
                    let fields = message.into_iter().zip(types);
                    Value::Tuple(fields.map(|(v, &ty)| self.itf_value(&shape, ty, v)).collect())
                };
                let name = name.strip_prefix(&part.prefix).unwrap_or(&name).to_owned();
                let list = Value::List(messages.into_iter().map(tuple).collect());
                Value::insert(&mut fields, &name, list);
            }
            found.push((part.prefix.trim_end_matches(':').to_owned(), fields));
        }
        found
    }
}
