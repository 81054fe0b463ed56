//! Compiles the shim over valgrind's header.

fn main() {
    println!("cargo:rerun-if-changed=src/marks.c");
    cc::Build::new().file("src/marks.c").compile("marks");
}
