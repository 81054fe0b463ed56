//! `duoram check --kernel` on kernels in C: a right one, wrong ones, and ones that harm their process.

use std::path::{Path, PathBuf};
use std::process::Command;

use duoram_kernel::{Backend, Features};
use serde_json::Value;
use tempfile::TempDir;

fn crate_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance").join(name)
}

/// A kernel, compiled by the line that the header gives.
struct Kernel {
    folder: TempDir,
    /// The only operation to check, if it is only that one that is not the example's.
    operation: Option<String>,
}

impl Kernel {
    fn compile(source: &Path) -> Self {
        let kernel = Self { folder: tempfile::tempdir().unwrap(), operation: None };
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-O3", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"]);
        cc.arg(crate_folder("include")).arg("-I").arg(crate_folder("examples/kernels"));
        let output = cc.arg("-o").arg(kernel.library()).arg(source).output().expect("the C compiler cc");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        kernel
    }

    /// One of those in `examples/kernels`.
    fn example(name: &str) -> Self {
        Self::compile(&crate_folder("examples/kernels").join(name))
    }

    /// One of those, and the only operation that is to be checked.
    fn only(operation: &str, name: &str) -> Self {
        Self { operation: Some(operation.to_owned()), ..Self::example(name) }
    }

    fn from_text(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("kernel.c");
        std::fs::write(&source, text).unwrap();
        Self::compile(&source)
    }

    /// The right kernel but for one function, which does the right thing and then what `fault` says.
    fn with_fault(function: &str, fault: &str) -> Self {
        Self { operation: Some(function.to_owned()), ..Self::from_text(&Self::text(function, fault)) }
    }

    /// Its source.
    fn text(function: &str, fault: &str) -> String {
        let (parameters, arguments) = match function {
            "grow" => (
                "const duoram_block *key, uint64_t trees, uint64_t width, const duoram_block *parents, \
                 duoram_block *children, duoram_block *sums",
                "key, trees, width, parents, children, sums",
            ),
            "evaluate" => (
                "const duoram_block *key, uint64_t depth, uint64_t count, const duoram_key *keys, \
                 duoram_leaf_sums *sums",
                "key, depth, count, keys, sums",
            ),
            "read" => (
                "const duoram_block *key, uint64_t party, uint64_t depth, const uint64_t *first, \
                 const uint64_t *second, uint64_t count, const duoram_read_query *queries, uint64_t *results",
                "key, party, depth, first, second, count, queries, results",
            ),
            _ => (
                "const duoram_block *key, uint64_t party, uint64_t depth, uint64_t *first, uint64_t *second, \
                 uint64_t count, const duoram_update_query *queries",
                "key, party, depth, first, second, count, queries",
            ),
        };
        format!(
            "#define duoram_kernel_{function} right\n#include \"portable.c\"\n#undef duoram_kernel_{function}\n\
             #include <stdio.h>\n#include <stdlib.h>\n\
             int32_t duoram_kernel_{function}({parameters})\n\
             {{ int32_t code = right({arguments});\n{fault}\nreturn code; }}\n"
        )
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("kernel.so")
    }

    fn check(&self, more: &[&str]) -> Checked {
        // A case of a file has its operation.
        let operation = self.operation.iter().filter(|_| !more.contains(&"--case"));
        let only = operation.flat_map(|operation| ["--operation", operation]);
        Checked::new(&self.library(), &only.chain(more.iter().copied()).collect::<Vec<_>>())
    }
}

/// What the command did, with `--json`.
struct Checked {
    code: Option<i32>,
    report: Value,
    stderr: String,
}

impl Checked {
    fn new(library: &Path, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duoram"));
        command.args(["check", "--json", "--kernel"]).arg(library).args(more);
        if !more.contains(&"--case") {
            command.args(["--cases", "40", "--seed", "5"]);
        }
        // Where rejected cases go: beside the kernel, if there is one.
        if let Some(folder) = library.parent().filter(|folder| folder.is_dir()) {
            command.current_dir(folder);
        }
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert!(!stderr.contains("panicked"), "{stderr}");
        let report = serde_json::from_str(&stdout).unwrap_or(Value::Null);
        Self { code: output.status.code(), report, stderr }
    }

    /// The only finding of a kernel that is wrong at one operation, and right at all others.
    fn only_failure(&self, operation: &str) -> &Value {
        assert_eq!(self.code, Some(1), "{}", self.stderr);
        let failures = self.report["failures"].as_array().unwrap();
        assert!(failures.len() == 1 && failures[0]["operation"] == operation, "{failures:?}");
        for tested in self.report["tested"].as_array().unwrap() {
            let all_right = tested["right"] == tested["cases"];
            assert_eq!(all_right, tested["operation"] != operation, "{tested}");
        }
        assert!(self.stderr.contains("all of it again: duoram check --kernel "), "{}", self.stderr);
        &failures[0]
    }

    /// What an operation failed with, that gave no answer.
    fn failure(&self, operation: &str) -> String {
        let finding = self.only_failure(operation);
        assert!(self.stderr.contains(&format!("failure: {operation}, ")), "{}", self.stderr);
        finding["problem"]["failure"].as_str().unwrap().to_owned()
    }
}

#[test]
fn the_right_kernel_passes_and_is_measured_beside_ours() {
    let checked = Kernel::example("portable.c").check(&[]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
    let tested = checked.report["tested"].as_array().unwrap();
    assert_eq!(tested.len(), 8);
    for tested in tested {
        assert!(tested["right"] == tested["cases"] && tested["cases"].as_u64() > Some(200), "{tested}");
    }
    let times = checked.report["times"].as_array().unwrap();
    assert_eq!(times.len(), 6);
    for race in times {
        let ours = race["backends"].as_array().unwrap();
        assert_eq!(ours.len(), Backend::available(&Features::detect()).len());
        assert!(ours.iter().all(|ours| ours["ratio"].as_f64() > Some(0.0)), "{race}");
    }
}

/// To be measured beside one backend of ours, not beside all: the portable one takes longest of all that is done here.
fn beside_one() -> [&'static str; 2] {
    ["--backend", Backend::best(&Features::detect()).name().as_str()]
}

/// Each has one fault, and is rejected, for what is wrong with it.
macro_rules! rejected {
    ($($name:ident, $operation:literal, $what:literal;)*) => {$(
        #[test]
        fn $name() {
            let kernel = Kernel::only($operation, concat!(stringify!($name), ".c"));
            let checked = kernel.check(&[]);
            let finding = checked.only_failure($operation);
            assert!(checked.stderr.contains($what), "{}", checked.stderr);
            if finding["repeats"] == true {
                let file = checked.report["files"][0].as_str().unwrap();
                assert_eq!(kernel_again(&kernel, file), Some(1), "{finding}");
            }
        }
    )*};
}

/// The exit code for a case of a file.
fn kernel_again(kernel: &Kernel, file: &str) -> Option<i32> {
    Checked::new(&kernel.library(), &["--case", file]).code
}

rejected! {
    wrong_32_bit_sums, "evaluate", "depth 17, keys 1: sums[0].index_flag_sum";
    wrong_computes_nothing, "read", "expected an answer of 1 words, got one of 0";
    wrong_depth_15, "update", "depth 15, ";
    wrong_depth_18, "read", "results[";
    wrong_depth_19, "evaluate", "depth 19, ";
    wrong_equal_roots, "evaluate", "keys 2: sums[1]";
    wrong_lean_or_tweak, "lean_sums", "mismatch: lean_sums, trees 1, width 2^0: flag_sums[0].";
    wrong_lean_partial_node, "lean_flags", "mismatch: lean_flags, depth 1, keys 1: flags[0]: ";
    wrong_lean_rotated, "lean_read", "mismatch: lean_read, depth 2, shifts ";
    wrong_lean_uncleared_flag, "lean_flags", "mismatch: lean_flags, depth 1, keys 1: flags[0]: ";
    wrong_lean_whole_nodes, "lean_update", "mismatch: lean_update, depth 1, shifts 1: memory[";
    wrong_reads_before, "grow", "(SIGSEGV), where nothing can be touched before the beginning of any array";
    wrong_reads_beyond, "read", "(SIGSEGV), where nothing can be touched after the end of any array";
    wrong_saturating_sums, "evaluate", "depth 17, keys 1: sums[0].index_flag_sum";
    wrong_shared_half, "update", "mismatch: update, ";
    wrong_stale_memory, "read", "only after another call";
    wrong_stale_session_key, "grow", "only after another call";
    wrong_writes_before, "update", "(SIGSEGV), where nothing can be touched before the beginning of any array";
    wrong_writes_beyond, "evaluate", "wrote past the end of sums, which has 40 bytes";
    wrong_writes_input, "grow", "(SIGSEGV), where nothing can be touched after the end of any array, and inputs";
}

#[test]
fn wrong_when_the_shift_wraps_around_is_reduced_to_two_words_and_shift_one() {
    let kernel = Kernel::only("update", "wrong_wraparound.c");
    let checked = kernel.check(&[]);
    let finding = checked.only_failure("update");
    let case = &finding["case"];
    assert_eq!((&case["depth"], case["queries"].as_array().unwrap().len()), (&1.into(), 1));
    assert_eq!(case["queries"][0]["shift"], 1);
    let problem = &finding["problem"]["mismatch"];
    assert_ne!(problem["expected"], problem["got"]);
    assert!(checked.stderr.contains("mismatch: update, party 0, depth 1, shifts 1: "), "{}", checked.stderr);
    // The file of the case, and the command that is printed, find it again.
    let again = kernel.check(&["--case", checked.report["files"][0].as_str().unwrap()]);
    assert_eq!((again.code, &again.report["failures"][0]["problem"]), (Some(1), &finding["problem"]));
    assert_eq!(again.report["failures"][0]["case"], finding["case"]);
    let right = Kernel::example("portable.c");
    let file = kernel.folder.path().join(checked.report["files"][0].as_str().unwrap());
    assert_eq!(right.check(&["--case", file.to_str().unwrap()]).code, Some(0));
    let command = checked.report["reproduce"].as_str().unwrap().strip_prefix("duoram ").unwrap();
    let mut again = Command::new(env!("CARGO_BIN_EXE_duoram"));
    let again =
        again.current_dir(kernel.folder.path()).args(command.split(' ')).arg("--json").output().unwrap();
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["failures"], checked.report["failures"]);
}

#[test]
fn wrong_at_odd_depths_is_reduced_to_the_least_of_them() {
    let fault = "for (uint64_t i = 0; i < count; i++) if (depth % 2 && depth > 1) sums[i].value_sum++;";
    let checked = Kernel::with_fault("evaluate", fault).check(&[]);
    let finding = checked.only_failure("evaluate");
    assert_eq!(
        (&finding["case"]["depth"], finding["case"]["keys"].as_array().unwrap().len()),
        (&3.into(), 1)
    );
    assert_eq!(finding["problem"]["mismatch"]["place"], "sums[0].value_sum");
}

/// Wrong in batches, and only where certain numbers are large: all others become zero.
#[test]
fn wrong_for_certain_numbers_is_reduced_to_them() {
    let fault = "if (count > 1 && second[1] >> 63 && queries[0].one.conversion_factor > 9) results[1] ^= 2;";
    let checked = Kernel::with_fault("read", fault).check(&[]);
    let finding = checked.only_failure("read");
    let case = &finding["case"];
    let nonzero = |field: &Value| field.as_str().unwrap().trim_matches('0').len();
    assert_eq!((&case["depth"], nonzero(&case["session_key"]), nonzero(&case["first"])), (&1.into(), 0, 0));
    assert!(nonzero(&case["second"]) > 0 && finding["steps"].as_u64() > Some(3), "{finding}");
    assert_eq!(case["queries"].as_array().unwrap().len(), 2);
    assert!(nonzero(&case["queries"][0]["one"]["conversion_factor"]) > 0);
    assert_eq!(nonzero(&case["queries"][1]["two"]["conversion_factor"]), 0);
    let sum = Kernel::with_fault("grow", "if (trees == 3) sums[5].high++;").check(&[]);
    assert_eq!(sum.only_failure("grow")["problem"]["mismatch"]["place"], "sums[5].high");
}

#[test]
fn a_crash_and_an_exit_are_reported_with_the_case_and_the_other_operations_go_on() {
    let crash =
        Kernel::with_fault("update", "volatile int *volatile nowhere = 0; if (depth == 3) *nowhere = 1;")
            .check(&[]);
    assert_eq!(
        crash.failure("update"),
        "the kernel's process was ended by signal 11 (SIGSEGV), where nothing can be touched before the beginning of any array"
    );
    assert!(crash.stderr.contains("update, party 0, depth 3, shifts "), "{}", crash.stderr);
    let abort = Kernel::with_fault("grow", "if (trees == 5) abort();").check(&[]);
    assert_eq!(abort.failure("grow"), "the kernel's process was ended by signal 6 (SIGABRT)");
    assert!(abort.stderr.contains("grow, trees 5, width 2^0"), "{}", abort.stderr);
    let exit = Kernel::with_fault("read", "if (party == 2) exit(7);").check(&[]);
    assert_eq!(exit.failure("read"), "the kernel's process ended with exit code 7");
    assert!(exit.stderr.contains("read, party 2, depth 1"), "{}", exit.stderr);
}

#[test]
fn a_loop_is_ended_by_the_time_limit() {
    let kernel = Kernel::with_fault("evaluate", "for (volatile uint64_t i = 0; depth == 2; ) i++;");
    let checked = kernel.check(&["--time-limit", "5"]);
    assert_eq!(checked.failure("evaluate"), "the kernel did not return within 5 s");
    assert!(checked.stderr.contains("evaluate, depth 2, keys 1"), "{}", checked.stderr);
}

#[test]
fn writes_outside_and_unknown_codes_are_reported() {
    let past = Kernel::with_fault("read", "results[count * (1 + (party == 2))] = 0;").check(&[]);
    assert_eq!(past.failure("read"), "the kernel wrote past the end of results, which has 8 bytes");
    let before =
        Kernel::with_fault("update", "if (((uintptr_t)first & 4095) != 0) first[-1] = 0;").check(&[]);
    assert_eq!(before.failure("update"), "the kernel wrote 8 bytes before the beginning of first");
    let input =
        Kernel::with_fault("evaluate", "((duoram_correction *)keys[0].corrections)->right_flag ^= 2;");
    assert_eq!(input.check(&[]).failure("evaluate"), "the kernel wrote to corrections, an input, at byte 24");
    let code = Kernel::with_fault("grow", "if (width == 4) code = -3;").check(&[]);
    assert_eq!(code.failure("grow"), "expected the return code 0 or 1, got -3");
}

#[test]
fn what_is_not_supported_is_counted_and_a_kernel_that_supports_nothing_does_not_pass() {
    let checked =
        Kernel::with_fault("grow", "if (width > 1) code = DUORAM_UNSUPPORTED;").check(&beside_one());
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
    let grow = &checked.report["tested"][0];
    let number = |name: &str| grow[name].as_u64().unwrap();
    assert!(number("right") > 0 && number("unsupported") > 0, "{grow}");
    assert_eq!(number("right") + number("unsupported"), number("cases"), "{grow}");
    let nothing = "#include <stdint.h>\nuint32_t duoram_kernel_abi(void) { return 2; }\n\
                   int32_t duoram_kernel_grow() { return 1; }\nint32_t duoram_kernel_evaluate() { return 1; }\n\
                   int32_t duoram_kernel_read() { return 1; }\nint32_t duoram_kernel_update() { return 1; }\n";
    let nothing = Kernel::from_text(nothing).check(&["--operation", "grow", "--operation", "lean_read"]);
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.stderr.contains("nothing was checked"), "{}", nothing.stderr);
}

#[test]
fn a_kernel_without_the_lean_functions_passes_and_is_told_what_was_not_checked() {
    let lean = ["lean_sums", "lean_flags", "lean_read", "lean_update"];
    let hidden = lean.map(|name| format!("#define duoram_kernel_{name} another_{name}\n")).concat();
    let kernel = Kernel::from_text(&format!("{hidden}#include \"portable.c\"\n"));
    // Of the others one is enough, the quickest.
    let operations = lean.iter().chain(&["grow"]).flat_map(|operation| ["--operation", operation]);
    let checked = kernel.check(&operations.chain(beside_one()).collect::<Vec<_>>());
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
    assert_eq!(checked.report["tested"].as_array().unwrap().len(), 5);
    for tested in checked.report["tested"].as_array().unwrap() {
        let operation = tested["operation"].as_str().unwrap();
        let counted = if lean.contains(&operation) { "unsupported" } else { "right" };
        assert_eq!(tested[counted], tested["cases"], "{tested}");
        let told = format!("not checked: {operation}: the kernel has no function duoram_kernel_{operation}");
        assert_eq!(checked.stderr.contains(&told), lean.contains(&operation), "{}", checked.stderr);
    }
    let nothing = kernel.check(&["--operation", "lean_read"]);
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.stderr.contains("nothing was checked"), "{}", nothing.stderr);
}

#[test]
fn cases_of_the_lean_protocol_that_make_no_sense_are_refused() {
    let kernel = Kernel::example("portable.c");
    let word = "0100000000000000";
    let refused = |memory: &str, flags: &str, shift: u64, reason: &str| {
        let query = format!(r#"{{"flags":"{flags}","shift":{shift}}}"#);
        let case =
            format!(r#"{{"operation":"lean_read","depth":1,"memory":"{memory}","queries":[{query}]}}"#);
        let text = format!(r#"{{"schema":1,"about":"","cases":[{case}]}}"#);
        std::fs::write(kernel.folder.path().join("case.json"), text).unwrap();
        let checked = kernel.check(&["--case", "case.json"]);
        assert_eq!(checked.code, Some(if reason.is_empty() { 0 } else { 2 }), "{}", checked.stderr);
        assert!(checked.stderr.contains(reason), "{reason}: {}", checked.stderr);
    };
    let memory = word.repeat(2);
    refused(&memory, word, 1, "");
    refused(word, word, 1, "case.memory: expected 2 words, got 1 words");
    refused(&memory, word, 2, "case.queries[0].shift: expected a number below 2, got 2");
    refused(&memory, &memory, 1, "case.queries[0].flags: expected 1 words, got 2 words");
    refused(&memory, "0400000000000000", 1, "case.queries[0].flags: expected no bit after the last flag");
}

/// A gigabyte for whoever listens: it is refused after the first few bytes.
#[test]
fn what_a_kernel_says_in_place_of_its_host_is_bounded() {
    let flood = "#include <unistd.h>\n__attribute__((constructor)) static void flood(void) {\n\
                 static char bytes[1 << 20];\nmemset(bytes, 'x', sizeof bytes);\n\
                 for (int i = 0; i < 1024; i++) for (int file = 3; file < 16; file++)\n\
                 if (write(file, bytes, sizeof bytes) < 0) continue; }\n";
    let kernel = Kernel::from_text(&format!("#include \"portable.c\"\n{flood}"));
    let start = std::time::Instant::now();
    let checked = kernel.check(&["--operation", "grow"]);
    assert_eq!(checked.code, Some(1));
    assert!(checked.stderr.contains("no longer answers what it was asked"), "{}", checked.stderr);
    assert!(start.elapsed().as_secs() < 8, "before the time limit");
}

/// What a kernel starts is ended with it.
#[test]
fn a_process_that_a_kernel_starts_does_not_survive() {
    let fork = "static int forked; if (!forked++) { int child = fork(); if (!child) for (;;) pause();\n\
                FILE *file = fopen(\"child\", \"w\"); fprintf(file, \"%d\", child); fclose(file); }";
    let source = format!("#define _GNU_SOURCE\n#include <unistd.h>\n{}", Kernel::text("grow", fork));
    let kernel = Kernel { operation: Some("grow".to_owned()), ..Kernel::from_text(&source) };
    assert_eq!(kernel.check(&[]).code, Some(0));
    let child = std::fs::read_to_string(kernel.folder.path().join("child")).unwrap();
    let status = || std::fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
    let ended = |status: &str| status.is_empty() || status.contains("State:\tZ");
    // It has been sent the signal; a busy machine lets it die a little later.
    let start = std::time::Instant::now();
    while !ended(&status()) && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(ended(&status()), "{}", status());
}

#[test]
fn limits_and_files_that_make_no_sense_are_refused() {
    let kernel = Kernel::example("portable.c");
    let zero = kernel.check(&["--time-limit", "0"]);
    assert_eq!(zero.code, Some(2));
    assert!(zero.stderr.contains("invalid value '0' for '--time-limit <SECONDS>'"), "{}", zero.stderr);
    let refused = |text: &str, reason: &str| {
        std::fs::write(kernel.folder.path().join("case.json"), text).unwrap();
        let checked = kernel.check(&["--case", "case.json"]);
        assert_eq!(checked.code, Some(2), "{}", checked.stderr);
        assert!(checked.stderr.contains(reason), "{reason}: {}", checked.stderr);
    };
    let grow =
        |fields: &str| format!(r#"{{"schema":1,"about":"","cases":[{{"operation":"grow",{fields}}}]}}"#);
    let key = r#""session_key":"00000000000000000000000000000000""#;
    refused("{", "EOF while parsing");
    refused(r#"{"schema":1,"about":"","cases":[]}"#, "at least one case");
    refused(r#"{"schema":1,"about":"","cases":[{}]}"#, "case.operation");
    refused(
        &grow(r#""session_key":"00""#),
        "case.session_key: expected 32 hexadecimal digits (a block), got 2",
    );
    refused(&grow(&format!(r#"{key},"trees":0,"parents":"""#)), "case.parents: expected 2^h blocks");
    refused(&grow(&format!(r#"{key},"trees":1,"parents":"","also":1"#)), "unknown field `also`");
}

#[test]
fn what_a_kernel_prints_does_not_disturb() {
    let kernel = Kernel::with_fault("grow", "printf(\"{\\\"Done\\\":1}\\n\"); fflush(stdout);");
    let checked = kernel.check(&[]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
    assert!(checked.stderr.contains("{\"Done\":1}"), "it goes to standard error");
}

#[test]
fn a_library_that_cannot_be_loaded_is_reported() {
    let refused = |library: &Path, code: i32, reason: &str| {
        let checked = Checked::new(library, &["--time-limit", "4"]);
        assert_eq!(checked.code, Some(code), "{}", checked.stderr);
        assert!(checked.stderr.contains(reason), "{reason}: {}", checked.stderr);
    };
    refused(Path::new("no/such/kernel.so"), 2, "No such file");
    refused(&crate_folder("include/duoram_kernel.h"), 1, "invalid ELF header");
    let text =
        |text: &str| Kernel::from_text(&format!("#include \"portable.c\"\n#include <stdlib.h>\n{text}"));
    refused(
        &Kernel::from_text("int nothing;").library(),
        1,
        "expected a function duoram_kernel_abi, got none",
    );
    let other_version = "#define DUORAM_KERNEL_ABI 3\n#include <stdint.h>\n\
                         uint32_t duoram_kernel_abi(void) { return DUORAM_KERNEL_ABI; }";
    let reason = "expected version 2 of the interface, got 3";
    refused(&Kernel::from_text(other_version).library(), 1, reason);
    let partial = "#include <stdint.h>\nuint32_t duoram_kernel_abi(void) { return 2; }";
    let reason = "expected a function duoram_kernel_grow, got none";
    refused(&Kernel::from_text(partial).library(), 1, reason);
    let crash = text("__attribute__((constructor)) static void crash(void) { abort(); }");
    refused(&crash.library(), 1, "while it was loaded: the kernel's process was ended by signal 6");
    let hang =
        text("__attribute__((constructor)) static void hang(void) { for (volatile int i = 0;; i++) ; }");
    refused(&hang.library(), 1, "while it was loaded: the kernel did not return within 4 s");
}
