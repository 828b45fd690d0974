//! The local facts in a snapshot: sets, in their order.

use alloc::boxed::Box;

use super::bytes::{Reader, Writer};
use crate::local::{Granted, Judgement, LocalFacts};
use crate::message::{Instant, Text};
use crate::reduce::Ix;

impl Writer {
    pub(super) fn local(&mut self, local: &LocalFacts) {
        self.all(local.grants.iter(), |out, (reference, granted)| {
            out.text(reference);
            out.granted(granted);
        });
        self.all(local.revoked.iter(), |out, reference| out.text(reference));
        for set in [&local.permitted, &local.approval_required, &local.approved] {
            self.all(set.iter(), |out, &ix| out.ix(ix));
        }
        self.all(local.confirmed.iter(), |out, &(ix, condition)| {
            out.ix(ix);
            out.number(condition);
        });
        self.all(local.judged.iter(), |out, &(ix, judgement)| {
            out.ix(ix);
            out.word(&Judgement::ALL, judgement);
        });
        self.maybe(local.now.as_ref(), Self::instant);
        self.all(local.started.iter(), |out, key| out.action(key));
        self.all(local.reconciled.iter(), |out, (key, causes)| {
            out.action(key);
            out.all(causes.iter(), |out, cause| out.text(cause));
        });
    }

    fn granted(&mut self, granted: &Granted) {
        let principal = granted.principal.as_ref();
        self.maybe(principal, |out, name| out.text(name.as_str()));
        self.maybe(granted.actions.as_ref(), |out, actions| {
            out.all(actions.iter(), |out, action| out.text(action.as_str()));
        });
        self.maybe(granted.not_before.as_ref(), Self::instant);
        self.maybe(granted.expires.as_ref(), Self::instant);
    }

    fn instant(&mut self, instant: &Instant) {
        self.signed(instant.minute());
        self.byte(instant.second());
        self.text(instant.fraction());
    }

    fn action(&mut self, (commitment, action): &(Ix, Box<str>)) {
        self.ix(*commitment);
        self.text(action);
    }
}

impl Reader<'_> {
    /// The local facts of a state that has so many ids.
    pub(super) fn local(&mut self, ids: usize) -> Option<LocalFacts> {
        Some(LocalFacts {
            grants: self.map(|bytes| Some((bytes.boxed()?, bytes.granted()?)))?,
            revoked: self.set(Self::boxed)?,
            permitted: self.set(|bytes| bytes.ix(ids))?,
            approval_required: self.set(|bytes| bytes.ix(ids))?,
            approved: self.set(|bytes| bytes.ix(ids))?,
            confirmed: self.set(|bytes| Some((bytes.ix(ids)?, bytes.number()?)))?,
            judged: self.set(|bytes| Some((bytes.ix(ids)?, bytes.word(&Judgement::ALL)?)))?,
            now: self.maybe(Self::instant)?,
            started: self.set(|bytes| bytes.action(ids))?,
            reconciled: self.map(|bytes| Some((bytes.action(ids)?, bytes.set(Self::boxed)?)))?,
        })
    }

    fn granted(&mut self) -> Option<Granted> {
        Some(Granted {
            principal: self.maybe(Self::checked)?,
            actions: self.maybe(|bytes| bytes.set(Self::checked))?,
            not_before: self.maybe(Self::instant)?,
            expires: self.maybe(Self::instant)?,
        })
    }

    fn checked(&mut self) -> Option<Text<'static>> {
        Text::new(self.text()?).ok().map(Text::into_owned)
    }

    fn instant(&mut self) -> Option<Instant> {
        let (minute, second) = (self.signed()?, self.byte()?);
        Instant::from_parts(minute, second, self.any_text()?)
    }

    fn action(&mut self, ids: usize) -> Option<(Ix, Box<str>)> {
        Some((self.ix(ids)?, self.boxed()?))
    }
}
