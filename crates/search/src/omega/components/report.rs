//! What is done about components: reported, or taken apart.

use super::{Desk, Search};
use crate::omega::Numbering;
use crate::omega::marks::Marks;
use crate::omega::refine::Progress;
use crate::omega::roots::Root;
use crate::omega::shorten::{Hint, build_lasso, visits_for};
use crate::omega::trail::Entry;
use crate::run::Stop;
use spinor_ts::OmegaSystem;

impl<T: OmegaSystem, N: Numbering, M: Marks> Search<'_, '_, T, N, M> {
    /// Takes a component apart that is accepting but not strongly fair.
    #[cold]
    pub(super) fn refine(
        &mut self,
        component: &Root<M>,
        entry: &Entry<N::Key, M>,
    ) -> Result<(), Stop> {
        let goal = self.judge.goal;
        let is_promising = component.is_cyclic && component.marks.accepting() & goal == goal;
        if component.is_reported || !is_promising {
            return Ok(());
        }
        self.desk
            .refinement
            .begin(self.desk.live.from(component.number), component.marks.starving());
        loop {
            let found = self.desk.refinement.step(self.system, self.states, self.run, goal);
            if self.run.is_due() {
                self.check()?;
            }
            match found {
                Progress::Going => {}
                Progress::Done => return Ok(()),
                Progress::Found(root) => {
                    // The root of the component is not on the trail any more.
                    self.desk.trail.push_open(*entry, &[]);
                    let result = self.report(root, component.position, true);
                    self.desk.trail.pop();
                    self.desk.trail.drop_bytes();
                    self.desk.refinement.clear();
                    return result;
                }
            }
        }
    }

    /// There is a wanted cycle through states of the part that begins with `root`: of the
    /// search itself, or of the refinement. Entry `position` of the trail leads there.
    #[cold]
    pub(super) fn report(
        &mut self,
        root: u32,
        position: u32,
        is_refined: bool,
    ) -> Result<(), Stop> {
        let Self { system, states, desk, lead, judge, run, .. } = self;
        let Desk { live, refinement, trail, .. } = &**desk;
        let visits = visits_for(run.stats.expanded);
        run.lasso(system.cycle_violation(), || {
            let mut path = lead();
            path.extend(trail.path_to(position));
            let hint = Hint { path, cycle_start: None };
            let numbering = states.fresh();
            let is_member = Box::new(|state: &[u8]| {
                let key = states.key(state);
                match states.find(key, state) {
                    Some(number) if is_refined => refinement.is_found(number, root),
                    Some(number) => number >= root && live.contains(number),
                    None => false,
                }
            });
            build_lasso(*system, numbering, *judge, &hint, is_member, visits)
        })
    }
}
