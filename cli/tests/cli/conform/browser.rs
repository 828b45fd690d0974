//! The page of `--report html` in a browser.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::reports::{ASKED, MIXED};
use super::{Fake, ONE};
use crate::common::Folder;

/// What a browser makes of a page: its document, and what it says on standard error. None where there is no Chromium;
/// that is no excuse where everything has to be tested.
fn browse(page: &Path, fragment: &str) -> Option<(String, String)> {
    let profile = Folder::new();
    let mut chromium = Command::new("chromium");
    let closed = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--enable-logging=stderr",
        "--dump-dom",
    ];
    chromium
        .args(closed)
        .arg(format!("--user-data-dir={}", profile.path("p").display()))
        .arg(format!("file://{}#{fragment}", page.display()));
    match chromium.output() {
        Ok(output) => {
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            Some((text(&output.stdout), text(&output.stderr)))
        }
        Err(error) => {
            assert!(
                std::env::var_os("CI").is_none(),
                "CI has no chromium, and what it shows is not left out there"
            );
            println!("LEFT OUT: there is no chromium: {error}");
            None
        }
    }
}

/// It shows what failed, opens the failure that one is led to, and loads nothing and complains of nothing.
#[test]
fn a_way_opens_what_it_leads_to() {
    let Some(fake) = Fake::editing(MIXED) else {
        return;
    };
    let page = ["--report", "html", "--output", "page.html"];
    fake.conform(&[&ASKED[..], &page].concat()).exits(1);
    let path = fake.0.path("page.html");
    // All are closed, as of many failures.
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("<details open>", "<details>")).unwrap();
    let Some((there, said)) = browse(&path, &format!("0-{ONE}")) else {
        return;
    };
    let opened = format!("<details open=\"\"><summary><code>{ONE}</code>");
    assert!(there.contains(&opened), "{there}\n{said}");
    assert_eq!(there.matches("<details open").count(), 1, "{there}");
    let complaints: Vec<&str> = said.lines().filter(|it| it.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}
