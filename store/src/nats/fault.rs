//! What the failures of the client and the answers of the server mean.

use async_nats::error::Error as ClientError;
use async_nats::jetstream::context::{
    CreateStreamErrorKind, GetStreamErrorKind, PublishErrorKind, RequestErrorKind,
};
use async_nats::jetstream::stream::{
    ConsumerErrorKind, DirectGetErrorKind, LastRawMessageErrorKind, PurgeErrorKind,
};
use async_nats::jetstream::{Error as Answer, ErrorCode};

use crate::Error;
use crate::error::Source;

/// Why something was not done.
#[derive(Debug)]
pub(super) enum Trouble {
    /// There is no such message or stream.
    NotThere,
    /// Somebody else's message is the last of the subject.
    Lost,
    /// No answer, or none that says anything: this may pass.
    Silent(Source),
    /// The server refuses it.
    Refused(Source, ErrorCode),
    /// What is there is not what should be.
    Found(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Found(error)
    }
}

impl From<Answer> for Trouble {
    fn from(answer: Answer) -> Self {
        match answer.error_code() {
            ErrorCode::STREAM_NOT_FOUND | ErrorCode::NO_MESSAGE_FOUND => Self::NotThere,
            ErrorCode::STREAM_WRONG_LAST_SEQUENCE => Self::Lost,
            // A cluster that is choosing who leads it.
            ErrorCode::CLUSTER_NOT_AVAILABLE | ErrorCode::CLUSTER_NOT_LEADER => {
                Self::Silent(answer.into())
            }
            code => Self::Refused(answer.into(), code),
        }
    }
}

impl From<ClientError<RequestErrorKind>> for Trouble {
    fn from(error: ClientError<RequestErrorKind>) -> Self {
        answered(&error).unwrap_or_else(|| Self::Silent(error.into()))
    }
}

impl From<ClientError<PublishErrorKind>> for Trouble {
    fn from(error: ClientError<PublishErrorKind>) -> Self {
        match error.kind() {
            PublishErrorKind::WrongLastSequence => Self::Lost,
            _ => answered(&error).unwrap_or_else(|| Self::Silent(error.into())),
        }
    }
}

impl From<ClientError<CreateStreamErrorKind>> for Trouble {
    fn from(error: ClientError<CreateStreamErrorKind>) -> Self {
        match error.kind() {
            CreateStreamErrorKind::JetStream(answer) => answer.into(),
            CreateStreamErrorKind::NotFound => Self::NotThere,
            _ => Self::Silent(error.into()),
        }
    }
}

impl From<ClientError<GetStreamErrorKind>> for Trouble {
    fn from(error: ClientError<GetStreamErrorKind>) -> Self {
        match error.kind() {
            GetStreamErrorKind::JetStream(answer) => answer.into(),
            _ => Self::Silent(error.into()),
        }
    }
}

impl From<ClientError<DirectGetErrorKind>> for Trouble {
    fn from(error: ClientError<DirectGetErrorKind>) -> Self {
        match error.kind() {
            DirectGetErrorKind::NotFound => Self::NotThere,
            _ => Self::Silent(error.into()),
        }
    }
}

impl From<ClientError<LastRawMessageErrorKind>> for Trouble {
    fn from(error: ClientError<LastRawMessageErrorKind>) -> Self {
        match error.kind() {
            LastRawMessageErrorKind::NoMessageFound => Self::NotThere,
            LastRawMessageErrorKind::JetStream(answer) => answer.into(),
            _ => Self::Silent(error.into()),
        }
    }
}

impl From<ClientError<ConsumerErrorKind>> for Trouble {
    fn from(error: ClientError<ConsumerErrorKind>) -> Self {
        match error.kind() {
            ConsumerErrorKind::JetStream(answer) => answer.into(),
            _ => Self::Silent(error.into()),
        }
    }
}

impl From<ClientError<PurgeErrorKind>> for Trouble {
    fn from(error: ClientError<PurgeErrorKind>) -> Self {
        match error.kind() {
            PurgeErrorKind::JetStream(answer) => answer.into(),
            _ => Self::Silent(error.into()),
        }
    }
}

/// The server's answer among the causes of a failure.
fn answered(error: &(dyn std::error::Error + 'static)) -> Option<Trouble> {
    let mut causes = std::iter::successors(error.source(), |cause| cause.source());
    causes
        .find_map(|cause| cause.downcast_ref::<Answer>())
        .map(|answer| answer.clone().into())
}

impl Trouble {
    /// Failures of other kinds, such as a connection that ended.
    pub(super) fn silent(source: impl Into<Source>) -> Self {
        Self::Silent(source.into())
    }

    pub(super) const fn may_pass(&self) -> bool {
        matches!(self, Self::Silent(_))
    }

    /// What it means to whoever asked for something.
    pub(super) fn error(self, store: &str) -> Error {
        let store = store.to_owned();
        match self {
            Self::Found(error) => error,
            Self::NotThere => Error::Missing { store },
            Self::Lost => Error::Busy { store },
            Self::Silent(source) => Error::Unreachable { store, source },
            Self::Refused(source, code) => match code {
                ErrorCode::STREAM_STORE_FAILED
                | ErrorCode::INSUFFICIENT_RESOURCES
                | ErrorCode::STORAGE_RESOURCES_EXCEEDED
                | ErrorCode::MEMORY_RESOURCES_EXCEEDED
                | ErrorCode::ACCOUNT_RESOURCES_EXCEEDED => Error::Full { store },
                ErrorCode::JETSTREAM_NOT_ENABLED
                | ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT
                | ErrorCode::CLUSTER_NO_PEERS => Error::Unreachable { store, source },
                ErrorCode::STREAM_REPLICAS_NOT_SUPPORTED => Error::BadAddress {
                    address: store,
                    why: "its server is in no cluster, and can keep one replica only".to_owned(),
                },
                ErrorCode::STREAM_SUBJECT_OVERLAP => Error::NotALog {
                    store,
                    why: "another stream has its subjects".to_owned(),
                },
                _ => Error::Io { store, source },
            },
        }
    }
}
