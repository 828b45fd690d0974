//! Signed checkpoints: nobody's word but that of who signed.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::collections::HashSet;
use std::process::Command;

use tern_store::{Checkpoint, Code, Head, Link, Position, PublicKey, SecretKey, Signed};

fn checkpoint() -> Checkpoint {
    let head = Head::new(Position::new(7), Link::start("x").then(b"y"));
    Checkpoint::new("a\nb", head, Some([9; 32]), 1_700_000_000)
}

/// Whatever byte of a checkpoint is changed, it no longer holds, or says the same.
#[test]
fn no_byte_can_be_changed() {
    let key = SecretKey::generate().unwrap();
    let text = checkpoint().sign(&key).to_string();
    let signed: Signed = text.parse().unwrap();
    assert_eq!(signed.verify(&key.public()).unwrap(), &checkpoint());
    assert_eq!(
        (signed.to_string(), signed.key()),
        (text.clone(), key.public())
    );
    let mut refused = 0;
    for at in 0..text.len() {
        for change in [1, 2, 4, 8, 16, 32, 64, 128] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= change;
            let Ok(changed) = String::from_utf8(bytes) else {
                continue;
            };
            let read = changed.parse::<Signed>();
            match read.as_ref().map(|signed| signed.verify(&key.public())) {
                Ok(Ok(same)) => assert_eq!(same, &checkpoint(), "{changed}"),
                Ok(Err(error)) => {
                    assert_eq!(error.code(), Code::BadCheckpoint);
                    refused += 1;
                }
                Err(error) => {
                    assert!([Code::BadCheckpoint, Code::BadKey].contains(&error.code()));
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 2000, "{refused}");
}

/// What differs in anything has another signature: its fields cannot run into each other.
#[test]
fn each_field_is_signed() {
    let key = SecretKey::generate().unwrap();
    let one = checkpoint();
    let head = |position, link| Head::new(Position::new(position), link);
    let link = one.head.link;
    let all = [
        one.clone(),
        Checkpoint::new("a", one.head, one.view, one.time),
        Checkpoint::new("b", one.head, one.view, one.time),
        Checkpoint::new("a\nb", head(8, link), one.view, one.time),
        Checkpoint::new("a\nb", head(7, link.then(b"")), one.view, one.time),
        Checkpoint::new("a\nb", one.head, None, one.time),
        Checkpoint::new("a\nb", one.head, one.view, 17_000_000_000),
        Checkpoint::new("0\na\nb", one.head, one.view, 170_000_000),
    ];
    let count = all.len();
    let signatures: HashSet<String> = all
        .into_iter()
        .map(|it| it.sign(&key).to_string())
        .map(|it| it.split("\"signature\":").nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(signatures.len(), count);
}

/// A key goes through PEM and hexadecimal digits, also those of OpenSSL, which verifies what we sign.
#[test]
fn keys_are_those_of_others() {
    let key = SecretKey::generate().unwrap();
    let pem = key.to_pem().unwrap();
    assert_eq!(SecretKey::from_pem(&pem).unwrap().public(), key.public());
    let public = key.public().to_pem().unwrap();
    assert_eq!(public.parse::<PublicKey>().unwrap(), key.public());
    let digits = key.public().to_string();
    assert_eq!(digits.parse::<PublicKey>().unwrap(), key.public());
    assert!(!format!("{key:?}").contains(pem.lines().nth(1).unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let openssl = |arguments: &[&str]| {
        let mut command = Command::new("openssl");
        command.current_dir(folder.path()).args(arguments);
        command.output().is_ok_and(|it| it.status.success())
    };
    if !openssl(&["version"]) {
        let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!in_ci, "no openssl here");
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"LEFT OUT: no openssl here\n");
        return;
    }
    assert!(openssl(&[
        "genpkey",
        "-algorithm",
        "ed25519",
        "-out",
        "key"
    ]));
    assert!(openssl(&["pkey", "-in", "key", "-pubout", "-out", "pub"]));
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let key = SecretKey::from_pem(&read("key")).unwrap();
    assert_eq!(key.public(), read("pub").parse().unwrap());
    let text = checkpoint().sign(&key).to_string();
    let signature: serde_json::Value = serde_json::from_str(&text).unwrap();
    let digits = signature["signature"].as_str().unwrap();
    let bytes: Vec<u8> = (0..64)
        .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
        .collect();
    std::fs::write(path("signature"), bytes).unwrap();
    let Head { position, link, .. } = checkpoint().head;
    let view = "09".repeat(32);
    let signed = format!("tern-checkpoint/1\n{position}\n{link}\n{view}\n1700000000\na\nb");
    std::fs::write(path("signed"), signed).unwrap();
    let verify = "pkeyutl -verify -pubin -inkey pub -rawin -in signed -sigfile signature";
    let verify: Vec<&str> = verify.split(' ').collect();
    assert!(openssl(&verify), "OpenSSL does not verify what we sign");
    std::fs::write(path("signed"), "something else").unwrap();
    assert!(!openssl(&verify));
}

/// Strict: a key of small order, under which one signature fits everything, is no key, and a signature that is not reduced
/// is none (the vectors 0 and 6 of Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs", 2020, have such keys and
/// scalars).
#[test]
fn weak_keys_and_loose_signatures_are_refused() {
    for weak in [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ] {
        let error = weak.parse::<PublicKey>().unwrap_err();
        assert_eq!(error.code(), Code::BadKey, "{weak}");
    }
    for text in ["", "0", &"g".repeat(64), "-----BEGIN PUBLIC KEY-----"] {
        assert_eq!(text.parse::<PublicKey>().unwrap_err().code(), Code::BadKey);
        assert_eq!(SecretKey::from_pem(text).unwrap_err().code(), Code::BadKey);
    }
    let key = SecretKey::generate().unwrap();
    let text = checkpoint().sign(&key).to_string();
    let mut written: serde_json::Value = serde_json::from_str(&text).unwrap();
    let digits = written["signature"].as_str().unwrap().to_owned();
    // S + L, L being the order of the base point, in little endian.
    let order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";
    let mut carry = 0;
    let mut loose = digits[..64].to_owned();
    for at in 0..32 {
        let byte = |text: &str| u16::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap();
        carry += byte(&digits[64..]) + byte(order);
        loose += &format!("{:02x}", carry & 255);
        carry >>= 8;
    }
    written["signature"] = loose.into();
    let signed: Signed = written.to_string().parse().unwrap();
    let error = signed.verify(&key.public()).unwrap_err();
    assert_eq!(error.code(), Code::BadCheckpoint);
}
