//! Channel variables that always hold the channel they were declared with: nobody
//! assigns to them or receives into them. Where their channels lie is then known.

use super::facts::each_statement;
use spinor_program::{
    Action, Area, Base, ChannelTypeId, Place, ProcessType, Program, ReceiveField,
};
use std::collections::HashMap;

/// Combinations of indices that are looked at one by one.
const MANY: u64 = 1 << 14;

/// Where the channel of a place lies, if that is fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StaticChannel {
    pub ty: ChannelTypeId,
    /// Bytes from the start of the area to the content of the channel with all indices 0.
    pub content: u32,
    /// Number of the channel, counted from the first of its area, with all indices 0.
    pub number: u32,
    /// Per index of the place: bytes and numbers from one element to the next.
    pub strides: Vec<(u32, u32)>,
}

/// One variable and its channel.
#[derive(Clone, Copy)]
struct Site {
    ty: ChannelTypeId,
    content: u32,
    number: u32,
}

/// The channel variables of an area that never change, by offset.
type Sites = HashMap<u32, Site>;

/// All channel variables that never change.
pub(crate) struct StaticChannels {
    globals: Sites,
    frames: Vec<Sites>,
}

impl StaticChannels {
    pub fn new(program: &Program) -> Self {
        let sites = |area: &Area| {
            let mut content = area.bytes;
            let site = |(number, site): (usize, &spinor_program::ChannelSite)| {
                let at = content;
                content += program.channel_types[site.channel.0 as usize].bytes();
                let number = number as u32;
                (site.variable, Site { ty: site.channel, content: at, number })
            };
            area.channels.iter().enumerate().map(site).collect::<Sites>()
        };
        let mut found = StaticChannels {
            globals: sites(&program.globals),
            frames: program.proctypes.iter().map(|p| sites(&p.frame)).collect(),
        };
        if found.globals.is_empty() && found.frames.iter().all(Sites::is_empty) {
            return found;
        }
        for (i, process) in program.proctypes.iter().enumerate() {
            found.drop_written(program, process, Some(i));
        }
        for claim in &program.claims {
            found.drop_written(program, claim, None);
        }
        found.drop_initialised(&program.globals, None);
        for (i, process) in program.proctypes.iter().enumerate() {
            found.drop_initialised(&process.frame, Some(i));
        }
        found
    }

    /// Where the channel of `place` lies; `proctype` is whose frame it is based in.
    pub fn find(&self, place: &Place, proctype: Option<usize>) -> Option<StaticChannel> {
        let sites = self.sites(place.base, proctype)?;
        let first = *sites.get(&place.offset)?;
        let mut strides = Vec::with_capacity(place.indices.len());
        let mut combinations = 1u64;
        for index in &place.indices {
            combinations = combinations.checked_mul(u64::from(index.bound.max(1)))?;
            let second = if index.bound > 1 {
                sites.get(&(place.offset + index.stride))
            } else {
                Some(&first)
            }?;
            strides.push((
                second.content.checked_sub(first.content)?,
                second.number.checked_sub(first.number)?,
            ));
        }
        if combinations > MANY {
            return None;
        }
        let found =
            StaticChannel { ty: first.ty, content: first.content, number: first.number, strides };
        all_offsets(place, &mut |offset, values| {
            let at = values.iter().zip(&found.strides);
            let at = at.fold((found.content, found.number), |(content, number), (v, (c, n))| {
                (content + v * c, number + v * n)
            });
            sites.get(&offset).is_some_and(|s| s.ty == first.ty && (s.content, s.number) == at)
        })
        .then_some(found)
    }

    fn sites(&self, base: Base, proctype: Option<usize>) -> Option<&Sites> {
        match base {
            Base::Global => Some(&self.globals),
            Base::Frame => self.frames.get(proctype?),
            Base::Hidden | Base::Sink => None,
        }
    }

    fn drop_written(&mut self, program: &Program, process: &ProcessType, proctype: Option<usize>) {
        each_statement(program, process, &mut |action| match action {
            Action::Assign(pairs) => {
                pairs.iter().for_each(|(place, _)| self.drop(place, proctype));
            }
            Action::Receive(receive) => {
                for field in &receive.args {
                    if let ReceiveField::Bind(place) = field {
                        self.drop(place, proctype);
                    }
                }
            }
            _ => {}
        });
    }

    fn drop_initialised(&mut self, area: &Area, proctype: Option<usize>) {
        let sites = match proctype {
            Some(i) => &mut self.frames[i],
            None => &mut self.globals,
        };
        for initial in area.initials.iter().filter(|i| !i.hidden) {
            sites.remove(&initial.offset);
        }
    }

    fn drop(&mut self, place: &Place, proctype: Option<usize>) {
        let sites = match (place.base, proctype) {
            (Base::Global, _) => &mut self.globals,
            (Base::Frame, Some(i)) => &mut self.frames[i],
            _ => return,
        };
        if sites.is_empty() {
            return;
        }
        let combinations = place.indices.iter().map(|i| u64::from(i.bound));
        if combinations.fold(1u64, u64::saturating_mul) > MANY {
            sites.clear();
            return;
        }
        all_offsets(place, &mut |offset, _| {
            sites.remove(&offset);
            true
        });
    }
}

/// Calls `f` with every offset the place can have and the indices that lead there;
/// stops when `f` does not hold and says whether it always did.
fn all_offsets(place: &Place, f: &mut impl FnMut(u32, &[u32]) -> bool) -> bool {
    let mut values = vec![0u32; place.indices.len()];
    if place.indices.iter().any(|i| i.bound == 0) {
        return true;
    }
    loop {
        let parts = place.indices.iter().zip(&values).map(|(i, v)| i.stride * v);
        if !f(place.offset + parts.sum::<u32>(), &values) {
            return false;
        }
        let Some(turn) = values.iter().zip(&place.indices).position(|(v, i)| v + 1 < i.bound)
        else {
            return true;
        };
        values[..turn].fill(0);
        values[turn] += 1;
    }
}
