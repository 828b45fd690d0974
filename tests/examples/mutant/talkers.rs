//! Implementations that do not keep to the protocol, or that are no healthy processes. And some that are odd and right.

use crate::talking::*;

/// A talker: its name, the clause or page that it violates, what it does, and how.
pub(crate) type Talker = (&'static str, &'static str, &'static str, fn());

/// Stands for the page of the protocol, which no clause repeats.
pub(crate) const PAGE: &str = "protocol";

/// Those that are wrong.
#[rustfmt::skip]
pub(crate) const TALKERS: &[Talker] = &[
    ("seq-too-great", PAGE, "results have the `seq` of the next request", || results(seq_too_great)),
    ("seq-missing", PAGE, "results have no `seq`", || results(|it| drop(it.remove("seq")))),
    ("seq-as-text", PAGE, "results have `seq` as a text", || results(seq_as_text)),
    ("other-protocol", PAGE, "it speaks version 2 of the protocol", || hello(|it| insert(it, "protocol", 2))),
    ("other-field", PAGE, "results have a field of their own", || results(|it| insert(it, "took", 1))),
    ("empty-outcomes-left-out", PAGE, "without deliveries there are no `outcomes`", || results(empty_outcomes_left_out)),
    ("outcomes-beside-refused", PAGE, "a broken document has `outcomes`, too", || results(outcomes_beside_refused)),
    ("codes-of-accepted", PAGE, "what is not rejected has a code", || results(codes_of_accepted)),
    ("null-for-no-code", PAGE, "what is not rejected has null for class and code", || results(null_for_no_code)),
    ("digest-left-out", PAGE, "it declares `digest`, and tells none", || results(|it| drop(it.remove("digest")))),
    ("view-as-text", PAGE, "the view is a text that is JSON", || results(view_as_text)),
    ("repeated-field", PAGE, "results have a field twice", || replies(repeated_field)),
    ("prints-first", PAGE, "it greets on standard output", prints_first),
    ("logs-to-output", PAGE, "it logs to standard output when a message is revised", || replies(logs_to_output)),
    ("answers-twice", PAGE, "it answers the 8th request twice", || replies(answers_twice)),
    ("answers-ahead", PAGE, "it answers the 9th request before it comes", || replies(answers_ahead)),
    ("answers-stop", PAGE, "it answers `stop`", answers_stop),
    ("unsupported", PAGE, "it declares `bare`, and does not do it", || replies(unsupported)),
    ("error", PAGE, "it says `error` of broken documents", || results(error)),
    ("latin-1", PAGE, "replies are not UTF-8 where Latin-1 has their characters", || replies(latin_1)),
    ("deep-reply", PAGE, "the 6th view has a place that is a million lists deep", || replies(deep_reply)),
    ("long-reply", PAGE, "the 6th reply is right, with 80 MB of white space", || replies(long_reply)),
    ("half-a-line", PAGE, "the 6th reply does not end", || replies(half_a_line)),
    ("hangs", PAGE, "it hangs on the 20th request", || replies(hangs)),
    ("hangs-on-start", PAGE, "it never reads, and says nothing", forever),
    ("stops-reading", PAGE, "it never reads after `hello`", stops_reading),
    ("closes-input", PAGE, "it closes its input at the 6th request, and answers it", || replies(closes_input)),
    ("closes-output", PAGE, "it closes its output at the 6th request, and goes on", || replies(closes_output)),
    ("crashes-on-withdraw", "A-REVISE", "it crashes where something is withdrawn", || replies(crashes_on_withdraw)),
    ("crashes-on-start", PAGE, "it crashes before `hello`", crashes_on_start),
    ("is-killed", PAGE, "it is killed by a signal at the 6th request", || replies(is_killed)),
    ("exits", PAGE, "it ends with status 0 at the 30th request", || replies(exits)),
    ("leaves-a-child", PAGE, "it crashes at the 6th request, and its child holds the pipes", || replies(leaves_a_child)),
    #[cfg(target_os = "linux")]
    ("eats-memory", PAGE, "it keeps 4 MiB of every request", eats_memory),
    #[cfg(target_os = "linux")]
    ("child-eats-memory", PAGE, "its child holds 500 MiB", child_eats_memory),
    ("ignores-stop", PAGE, "it goes on after `stop`", ignores_stop),
    ("status-1", PAGE, "it ends with status 1 after `stop`", status_1),
];

/// Those that are right.
#[rustfmt::skip]
pub(crate) const SOUND: &[Talker] = &[
    ("none", "-", "the core, and nothing wrong with it", || replies(|_, _, reply| reply)),
    ("loud", "-", "10 MB on standard error at the 6th request", || replies(loud)),
    ("carriage-returns", "-", "replies end with CRLF", || replies(carriage_returns)),
    ("in-pieces", "-", "the first replies come byte by byte", || replies(in_pieces)),
    ("starts-slowly", "-", "it takes half a second to start", starts_slowly),
    ("ends-slowly", "-", "it takes a while to end", ends_slowly),
    ("keeps-a-child", "-", "its child holds the pipes, and outlives it", keeps_a_child),
];

/// Children of theirs, which are not listed.
pub(crate) const CHILDREN: &[Talker] = &[
    ("sleeper", "-", "sleeps", forever),
    #[cfg(target_os = "linux")]
    ("glutton", "-", "holds 500 MiB", glutton),
];
