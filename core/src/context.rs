//! Who may speak as whom: stage 4 (S2.12, R-03, R-06).

use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::message::Message;
use crate::{Code, DocumentCode};

/// The identity context of a log: an agreed mapping from participant names to the principals that
/// the transport authenticates. It never changes (T1.24).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    id: String,
    trust: Trust,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Trust {
    /// Names bound to principals. Two names may share one.
    Bound(BTreeMap<String, String>),
    /// Every sender is taken at its word.
    Unverified,
}

impl Context {
    /// The id of the one context that verifies nobody.
    pub const UNVERIFIED: &'static str = "unverified";

    /// A context named `id` that binds each participant name to a principal.
    ///
    /// # Errors
    /// [`DocumentCode::BadValue`] for an empty id, name or principal and for a name that is bound
    /// twice, [`DocumentCode::ReservedContext`] for the id of the context that verifies nobody
    /// (S8.06). A name with a colon can be bound, but nobody can speak under it (T1.19).
    pub fn new<N: Into<String>, P: Into<String>>(
        id: impl Into<String>,
        participants: impl IntoIterator<Item = (N, P)>,
    ) -> Result<Self, DocumentCode> {
        let id = id.into();
        if id == Self::UNVERIFIED {
            return Err(DocumentCode::ReservedContext);
        }
        let mut bound: BTreeMap<String, String> = BTreeMap::new();
        for (name, principal) in participants {
            let (name, principal) = (name.into(), principal.into());
            let is_empty = name.is_empty() || principal.is_empty();
            if is_empty || bound.insert(name, principal).is_some() {
                return Err(DocumentCode::BadValue);
            }
        }
        if id.is_empty() {
            return Err(DocumentCode::BadValue);
        }
        Ok(Self {
            id,
            trust: Trust::Bound(bound),
        })
    }

    /// The context of bare messages: whoever a message names as sender is taken to have sent it
    /// (S8.11). Whatever is printed of it must say so.
    #[must_use]
    pub fn unverified() -> Self {
        Self {
            id: Self::UNVERIFIED.into(),
            trust: Trust::Unverified,
        }
    }

    /// The name of the context. Every stored reference is qualified by it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether senders were verified against anything.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        matches!(self.trust, Trust::Bound(_))
    }

    /// The principal bound to a participant name.
    #[must_use]
    pub fn principal_of(&self, participant: &str) -> Option<&str> {
        match &self.trust {
            Trust::Bound(bound) => bound.get(participant).map(String::as_str),
            Trust::Unverified => None,
        }
    }

    /// The bindings, by name; none in the unverified context.
    pub fn participants(&self) -> impl Iterator<Item = (&str, &str)> {
        let bound = match &self.trust {
            Trust::Bound(bound) => Some(bound),
            Trust::Unverified => None,
        };
        bound
            .into_iter()
            .flatten()
            .map(|(name, principal)| (name.as_str(), principal.as_str()))
    }

    /// Stage 4. `principal` is whom the channel authenticated, if anybody.
    ///
    /// # Errors
    /// In this order: the id's prefix is not `from`, `from` is unbound, its principal is another
    /// or there is none.
    pub fn identify(&self, message: &Message<'_>, principal: Option<&str>) -> Result<(), Code> {
        let from = message.from.as_str();
        if message.id.sender() != from {
            return Err(Code::IdNotOfSender);
        }
        let Trust::Bound(bound) = &self.trust else {
            return Ok(());
        };
        let expected = bound.get(from).ok_or(Code::SenderUnbound)?;
        match principal {
            None => Err(Code::PrincipalMissing),
            Some(principal) if principal != expected => Err(Code::PrincipalMismatch),
            Some(_) => Ok(()),
        }
    }
}
