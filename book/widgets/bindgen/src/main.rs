//! `duoram-book-bindgen MODULE.wasm FOLDER`: writes the module as a browser loads it, and the JavaScript that does, into the folder.

use std::env::args_os;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<_> = args_os().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("usage: duoram-book-bindgen MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(false).remove_name_section(true).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("duoram-book-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
