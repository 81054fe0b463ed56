//! `ci/licences`: what we depend on, in every lock file: permissive licences, no registry but cargo's own, no git repository, no
//! version that may be any. Security advisories are not checked: their database is on no package registry.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::error::{Error, Result, found};
use crate::{files, process};

/// What a crate may be licensed under; where its licence gives a choice, one of these suffices.
const ALLOWED: [&str; 11] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0", // borrow-or-share, of the tests' JSON Schema validator
    "NCSA",  // libFuzzer, in fuzz/ only
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that may have another licence, as long as nothing but one other crate uses them: name, licence, user.
///
/// `colored` is a part of the translator, which is run and never linked with anything of ours.
const EXCEPTIONS: [(&str, &str, &str); 1] = [("colored", "MPL-2.0", "hax-types")];

/// Programs of ours that may be copyleft, with what they use, as nothing else of ours is in their lock files: crate, licences. Peers
/// are measured by them; nobody links them, and they link nothing of ours.
const APART: [(&str, [&str; 2]); 1] = [("duoram-peer-mobilecoin", ["GPL-3.0", "GPL-3.0-only"])];

/// The registry that cargo takes by default, by the name that it has in a lock file.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks every lock file of the repository.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Result<()> {
    let locks = files::listed(&["Cargo.lock", "*/Cargo.lock"])?;
    let (mut crates, mut problems) = (BTreeSet::new(), Vec::new());
    for lock in &locks {
        let manifest = lock.with_extension("toml");
        let metadata = metadata(&manifest, Path::new("."))?;
        problems
            .extend(judge(&metadata).into_iter().map(|problem| format!("{}: {problem}", manifest.display())));
        crates.extend(metadata.packages.into_iter().map(|package| package.id));
    }
    if !problems.is_empty() {
        return found(problems.join("\n"));
    }
    println!(
        "{} lock files, {} crates: licences, sources and versions are as they must be",
        locks.len(),
        crates.len()
    );
    Ok(())
}

/// What `cargo metadata` prints, as far as it is used here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    /// None is a folder.
    source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    req: String,
    /// None is a folder, whose version is what is there.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    /// Identities of the packages that it uses.
    dependencies: Vec<String>,
}

/// What the lock file beside `manifest` leads to, on all platforms and with all features. Cargo is run in `folder`.
fn metadata(manifest: &Path, folder: &Path) -> Result<Metadata> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(folder).args(["metadata", "--format-version=1", "--locked", "--all-features"]);
    let printed = process::check(cargo.arg("--manifest-path").arg(manifest))?;
    serde_json::from_str(&printed)
        .map_err(|error| Error::Found(format!("{}: cargo metadata: {error}", manifest.display())))
}

/// What is wrong with a dependency, each a line.
fn judge(metadata: &Metadata) -> Vec<String> {
    let names: BTreeMap<&str, &str> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package.name.as_str())).collect();
    let apart = apart(metadata);
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let mut refuse = |why: String| problems.push(format!("{} {}: {why}", package.name, package.version));
        if let Err(why) = licence(package, apart) {
            refuse(why);
        }
        match package.source.as_deref() {
            None | Some(REGISTRY) => {}
            Some(other) => refuse(format!("the source {other} is not allowed")),
        }
        for dependency in &package.dependencies {
            if dependency.req == "*" && dependency.source.as_deref() == Some(REGISTRY) {
                refuse(format!("any version of {} would do", dependency.name));
            }
        }
    }
    for node in &metadata.resolve.nodes {
        let user = names.get(node.id.as_str()).copied().unwrap_or_default();
        for used in node.dependencies.iter().filter_map(|id| names.get(id.as_str())) {
            if let Some((name, _, only)) = EXCEPTIONS.iter().find(|(name, ..)| name == used)
                && *only != user
            {
                problems.push(format!("{user} uses {name}, which is banned but for {only}"));
            }
        }
    }
    problems
}

/// The licences that a lock file may have besides, if the one crate of ours in it is a program apart.
fn apart(metadata: &Metadata) -> &'static [&'static str] {
    let mut ours = metadata.packages.iter().filter(|package| package.source.is_none());
    match (ours.next(), ours.next()) {
        (Some(only), None) => {
            APART.iter().find(|(name, _)| *name == only.name).map_or(&[], |(_, licences)| licences)
        }
        _ => &[],
    }
}

/// Whether the licence allows what we do with it. `apart` are licences that are allowed in this lock file.
fn licence(package: &Package, apart: &[&str]) -> std::result::Result<(), String> {
    let text = package.license.as_deref().ok_or("it has no licence")?;
    let expression = spdx::Expression::parse_mode(text, spdx::ParseMode::LAX)
        .map_err(|error| format!("the licence {text} cannot be read: {}", error.reason))?;
    let excepted =
        |licence: &str| EXCEPTIONS.iter().any(|(name, other, _)| *name == package.name && *other == licence);
    let allowed = expression.evaluate(|requirement| {
        let licence = requirement.to_string();
        ALLOWED.contains(&licence.as_str()) || apart.contains(&licence.as_str()) || excepted(&licence)
    });
    if allowed { Ok(()) } else { Err(format!("the licence {text} is not allowed")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of crates, with a registry of its own in place of cargo's: no test asks the network.
    struct Crates(tempfile::TempDir);

    impl Crates {
        fn new() -> Self {
            let crates = Self(files::scratch().unwrap());
            crates.write(
                ".cargo/config.toml",
                "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"registry\"\n",
            );
            for (name, licence) in
                [("permissive", "MIT"), ("copyleft", "GPL-3.0-only"), ("colored", "MPL-2.0")]
            {
                crates.plant(&format!("registry/{name}"), name, Some(licence), "");
                crates.write(&format!("registry/{name}/.cargo-checksum.json"), "{\"files\": {}}");
            }
            crates
        }

        fn write(&self, path: &str, text: &str) {
            files::write(self.0.path().join(path), text).unwrap();
        }

        fn plant(&self, folder: &str, name: &str, licence: Option<&str>, dependencies: &str) {
            let licence = licence.map(|licence| format!("license = \"{licence}\"\n")).unwrap_or_default();
            self.write(
                &format!("{folder}/Cargo.toml"),
                &format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{licence}[dependencies]\n{dependencies}\n"),
            );
            self.write(&format!("{folder}/src/lib.rs"), "");
        }

        /// What is said of a crate of ours with this licence and these dependencies.
        fn judged(&self, name: &str, licence: Option<&str>, dependencies: &str) -> Vec<String> {
            self.plant("ours", name, licence, dependencies);
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap());
            cargo.current_dir(self.0.path()).args([
                "generate-lockfile",
                "--manifest-path",
                "ours/Cargo.toml",
            ]);
            process::check(&mut cargo).unwrap();
            judge(&metadata(Path::new("ours/Cargo.toml"), self.0.path()).unwrap())
        }
    }

    #[test]
    fn what_is_permissive_and_from_the_registry_passes() {
        let crates = Crates::new();
        assert!(crates.judged("ours", Some("MIT OR Apache-2.0"), "permissive = \"0.1\"").is_empty());
        assert!(crates.judged("ours", Some("Apache-2.0 WITH LLVM-exception"), "").is_empty());
        assert!(crates.judged("ours", Some("GPL-3.0-only OR MIT/Apache-2.0"), "").is_empty());
        assert!(crates.judged("hax-types", Some("MIT"), "colored = \"0.1\"").is_empty());
    }

    #[test]
    fn licences_that_are_not_allowed_are_refused() {
        let crates = Crates::new();
        let refused = "copyleft 0.1.0: the licence GPL-3.0-only is not allowed";
        assert_eq!(crates.judged("ours", Some("MIT"), "copyleft = \"0.1\""), [refused]);
        assert_eq!(
            crates.judged("ours", Some("MIT AND GPL-2.0-only"), ""),
            ["ours 0.1.0: the licence MIT AND GPL-2.0-only is not allowed"]
        );
        assert_eq!(crates.judged("ours", None, ""), ["ours 0.1.0: it has no licence"]);
    }

    #[test]
    fn an_exception_is_for_one_user_only() {
        let crates = Crates::new();
        let refused = "ours uses colored, which is banned but for hax-types";
        assert_eq!(crates.judged("ours", Some("MIT"), "colored = \"0.1\""), [refused]);
    }

    #[test]
    fn a_program_apart_may_be_copyleft_as_long_as_nothing_else_of_ours_is_in_it() {
        let crates = Crates::new();
        let name = "duoram-peer-mobilecoin";
        assert!(crates.judged(name, Some("GPL-3.0-only"), "copyleft = \"0.1\"").is_empty());
        crates.plant("another", "another", Some("MIT"), "");
        let both = "copyleft = \"0.1\"\nanother = { path = \"../another\" }";
        let refused = "copyleft 0.1.0: the licence GPL-3.0-only is not allowed";
        assert_eq!(crates.judged(name, Some("MIT"), both), [refused]);
    }

    #[test]
    fn any_version_is_refused_but_of_a_folder() {
        let crates = Crates::new();
        assert_eq!(
            crates.judged("ours", Some("MIT"), "permissive = \"*\""),
            ["ours 0.1.0: any version of permissive would do"]
        );
        assert!(
            crates
                .judged("ours", Some("MIT"), "permissive = { path = \"../registry/permissive\" }")
                .is_empty()
        );
    }

    #[test]
    fn a_git_repository_is_refused() {
        let crates = Crates::new();
        crates.plant("git", "by-git", Some("MIT"), "");
        let git = |arguments: &[&str]| {
            let mut git = Command::new("git");
            git.current_dir(crates.0.path().join("git")).args([
                "-c",
                "user.name=planted",
                "-c",
                "user.email=planted@localhost",
            ]);
            process::check(git.args(arguments)).unwrap();
        };
        git(&["init", "--quiet"]);
        git(&["add", "."]);
        git(&["commit", "--quiet", "-m", "planted"]);
        let url = format!("file://{}", crates.0.path().join("git").display());
        let problems = crates.judged("ours", Some("MIT"), &format!("by-git = {{ git = \"{url}\" }}"));
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("the source git+file://"), "{problems:?}");
    }
}
