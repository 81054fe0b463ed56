//! A program in C and one in Python, as their users have them, against two parties over TLS on loopback.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use duoram_client::fake::{Fake, Faults};
use duoram_link::settings::ProtocolName;
use tempfile::TempDir;
use tokio::runtime::Runtime;

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Where cargo has put the shared library: beside this test.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// Parties with so many words at an address that cut links, at one in so many messages, and the client's settings.
fn parties(row_words: u16, cut: u32) -> (Runtime, TempDir, PathBuf) {
    let (runtime, folder) = (Runtime::new().unwrap(), tempfile::tempdir().unwrap());
    let faults = Faults { cut, ..Faults::default() };
    let fake = runtime.block_on(Fake::start(folder.path(), ProtocolName::Lean, row_words, faults));
    let _ = fake.config();
    let config = folder.path().join("client.toml");
    (runtime, folder, config)
}

fn require(output: &Output) {
    let [out, error] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{}: {out}{error}", output.status);
}

/// Compiled by the line that the header gives. Links that are cut, now and then or often, are made again: what is written to one that is
/// gone raises no signal, by which this program would end.
#[test]
fn a_program_in_c_reads_and_writes() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-I"]).arg(here("include"));
    cc.arg(here("examples/program.c")).arg("-L").arg(libraries()).arg("-lduoram_client_c");
    require(&cc.arg("-o").arg(&program).output().expect("the C compiler cc"));
    for (row_words, cut) in [(1, 40), (1, 40), (1, 8), (3, 40)] {
        let (_runtime, _folder, config) = parties(row_words, cut);
        require(&Command::new(&program).arg(config).env("LD_LIBRARY_PATH", libraries()).output().unwrap());
    }
}

/// What the header declares is what there is.
#[test]
fn the_header_and_the_library_have_the_same_functions() {
    let header = std::fs::read_to_string(here("include/duoram_client.h")).unwrap();
    let source = std::fs::read_to_string(here("src/abi.rs")).unwrap();
    let declared: Vec<_> = header
        .lines()
        .filter(|line| line.ends_with(");"))
        .filter_map(|line| line.split_once('(')?.0.rsplit_once("duoram_"))
        .map(|(_, name)| name)
        .collect();
    let defined: Vec<_> = source
        .split("extern \"C\" fn duoram_")
        .skip(1)
        .filter_map(|text| text.split_once('(').map(|(name, _)| name))
        .collect();
    assert_eq!(declared, defined);
    assert_eq!(declared.len(), 17);
}

#[test]
fn a_program_in_python_reads_and_writes() {
    let (_runtime, _folder, config) = parties(1, 40);
    let (_runtime_of_rows, _folder_of_rows, of_rows) = parties(3, 40);
    let mut python = Command::new("python3");
    python.args(["-B", "-m", "unittest", "-v", "tests.test_memory"]).current_dir(here("../python"));
    python.env("DUORAM_TEST_CONFIG", config).env("DUORAM_TEST_CONFIG_OF_ROWS", of_rows);
    python.env("DUORAM_CLIENT_LIBRARY", libraries().join("libduoram_client_c.so"));
    match python.output() {
        Ok(output) => require(&output),
        Err(error) => eprintln!("skipped: python3: {error}"),
    }
}
