//! Messages in SPIN's words.

use super::message::{Shown, taken};
use super::narrator::{Moment, Narrator};
use crate::host::Host;
use spinor_exec::StepKind;
use spinor_program::{Action, Place};

impl Narrator<'_> {
    pub(super) fn sent(&mut self, moment: &Moment, host: &mut Host<'_>) {
        let Action::Send(send) = &self.program().statement(moment.statement).action else { return };
        let pid = Self::pid(moment);
        let value = |e| self.view.exec.evaluate(&moment.before, pid, e);
        let values: Vec<i32> = send.args.iter().map(value).collect();
        let is_rendezvous = moment.kind == StepKind::Offer;
        self.offer.clone_from(&values);
        if self.style.views.sends {
            let doing = if is_rendezvous { "Sent" } else { "Send" };
            self.message(moment, &send.channel, doing, "->", &values, host);
        }
    }

    pub(super) fn received(&mut self, moment: &Moment, host: &mut Host<'_>) {
        let Action::Receive(receive) = &self.program().statement(moment.statement).action else {
            return;
        };
        if !self.style.views.receives {
            return;
        }
        let values = if moment.kind == StepKind::Accept {
            self.offer.clone()
        } else {
            taken(self.view, moment, receive).unwrap_or_default()
        };
        let doing = if receive.copy { "[Recv]" } else { "Recv" };
        self.message(moment, &receive.channel, doing, "<-", &values, host);
    }

    /// A line about a message, or its row in the columns.
    fn message(
        &mut self,
        moment: &Moment,
        channel: &Place,
        doing: &str,
        arrow: &str,
        values: &[i32],
        host: &mut Host<'_>,
    ) {
        let shown = Shown::new(self.view, &self.queues, moment, channel, values);
        let hidden = &self.style.hidden_channels;
        if moment.depth < self.style.skip || hidden.contains(&i64::from(shown.queue)) {
            return;
        }
        if self.style.columns {
            if std::mem::take(&mut self.wants_heading) {
                let count = self.view.exec.process_count(&moment.before);
                let columns: String = (0..count).map(|i| format!(" {i:3}")).collect();
                host.print(format_args!("q\\p{columns}\n"));
            }
            let dots = "   .".repeat(Self::pid(moment).unwrap_or(0));
            let mark = if doing.starts_with("Sen") { '!' } else { '?' };
            host.print(format_args!(
                "{:3}{dots}   {}{mark}{}\n",
                shown.queue, shown.name, shown.values
            ));
            return;
        }
        let at = self.at(moment.statement);
        let who = self.who(moment, true);
        host.print(format_args!(
            "{who}{}:{} {doing} {}\t{arrow} queue {} ({})\n",
            at.file, at.line, shown.values, shown.queue, shown.name
        ));
    }
}
