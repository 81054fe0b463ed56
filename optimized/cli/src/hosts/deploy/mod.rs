//! `duoram deploy`: everything that the hosts of a session and their clients need, in one folder.

mod advice;
mod settings;

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use duoram_link::settings::{Address, ProtocolName, Value};
use duoram_link::{ClientName, Identity};
use duoram_reference::{Error as ProtocolError, Parameters, Role, SessionId};
use duoram_runtime::local_computation::Extent;
use duoram_runtime::seed::Seeds;
use duoram_runtime::store::StoreKey;

use self::settings::Deployment;
use super::Error;
use crate::Verdict;
use crate::output::Output;
use crate::rows::Rows;

const UNIT: &str = include_str!("duoram.service");
const COMPOSE: &str = include_str!("compose.yaml");
const SERVICE: &str = include_str!("service.yaml");
const README: &str = include_str!("README.md");

/// For whom.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Where the parties can be called: HOST or HOST:PORT of each, three of them, of two-party two. Without ports, 7100, 7101
    /// and 7102.
    #[arg(long, value_name = "P0,P1[,P2]", value_delimiter = ',', required_unless_present = "advice")]
    hosts: Vec<String>,
    /// There are 2^N addresses, and each has a word or a row.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(1..=40))]
    log_size: u32,
    /// Only the first M addresses have words, more than half of them: nobody stores anything for the others. Only in the lean protocol.
    #[arg(long = "rows", value_name = "M")]
    fewer: Option<usize>,
    /// The new folder, or an empty one, or one in which nothing has the name of a file of these.
    #[arg(long, value_name = "DIR", required_unless_present = "advice")]
    out: Option<PathBuf>,
    /// The protocol that the parties speak: lean, paper or two-party.
    #[arg(long, default_value_t = ProtocolName::Lean, value_parser = protocol)]
    protocol: ProtocolName,
    #[command(flatten)]
    rows: Rows,
    /// The clients, by name; each gets all rights, which the parties' files can take away again.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "client", value_parser = name)]
    clients: Vec<ClientName>,
    /// Write nothing; say what each host of such parties needs, and what operations will take, from a run of some seconds on this
    /// machine, and what of it is extrapolated.
    #[arg(long, conflicts_with_all = ["hosts", "out", "clients"])]
    advice: bool,
    /// With --advice: the hosts that each party is divided among, as by `mpirun -n W duoram party`.
    #[arg(long, value_name = "W", default_value_t = 1, requires = "advice", value_parser = RangedU64ValueParser::<usize>::new().range(1..=4096))]
    workers: usize,
    /// With --advice: the cores of each host; without it, as many as this machine has.
    #[arg(long, value_name = "N", requires = "advice", value_parser = RangedU64ValueParser::<usize>::new().range(1..=4096))]
    cores: Option<usize>,
}

impl Options {
    /// The session's, if its protocol has such a memory.
    fn parameters(&self, session: SessionId) -> Result<Parameters, crate::Error> {
        let row_words = self.rows.of_protocol(self.protocol)?;
        let parameters = self.protocol.parameters(session, (self.log_size, self.fewer, row_words));
        // The height has been looked at as an argument.
        Ok(parameters.map_err(|error| match error {
            ProtocolError::RowsOutOfRange { .. } | ProtocolError::AllRows { .. } => Error::FewerRows(error),
            _ => Error::Rows(error),
        })?)
    }
}

fn protocol(text: &str) -> Result<ProtocolName, String> {
    ProtocolName::of(text).ok_or_else(|| format!("expected {}", ProtocolName::EXPECTED))
}

/// A name that is also a file's.
fn name(text: &str) -> Result<ClientName, String> {
    let is_party = ["p0", "p1", "p2"].iter().any(|stem| text.eq_ignore_ascii_case(stem));
    if text.starts_with('.') || is_party {
        return Err("expected a name that does not begin with a dot, and is no party's".to_owned());
    }
    text.parse()
}

/// Writes the folder.
///
/// # Errors
///
/// [`crate::Error::NoRows`], [`Error::Rows`], [`Error::FewerRows`], [`Error::Hosts`], [`Error::SameName`], [`Error::Deployed`] if a file is there, [`Error::Identity`],
/// [`crate::Error::File`], [`crate::Error::Session`].
pub fn deploy(options: &Options, output: &mut Output) -> Result<Verdict, crate::Error> {
    let session = Seeds::from_system()?.session;
    let extent = Extent::from(&options.parameters(session)?);
    if options.advice {
        return advice::advise(options, extent, output).map(|()| Verdict::Held);
    }
    let (protocol, roles) = (options.protocol, options.protocol.roles());
    let addresses = addresses(&options.hosts, protocol)?;
    // Some file systems take no notice of case.
    let mut names: Vec<_> = options.clients.iter().map(|name| name.as_str().to_ascii_lowercase()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::SameName { name: pair[0].clone() }.into());
    }
    // Without one the arguments are refused.
    let folder = &options.out.clone().unwrap_or_default();
    require_room(folder, roles, &options.clients)?;
    make_folder(folder).map_err(|source| crate::Error::File { path: folder.clone(), source })?;

    let identity = |stem: &str| {
        let made = Identity::create(&folder.join(format!("{stem}.key")));
        made.map(|identity| identity.pin()).map_err(Error::Identity)
    };
    let mut pins = Vec::new();
    for &role in roles {
        pins.push(identity(&stem(role))?);
        let path = folder.join(format!("{}.state-key", stem(role)));
        StoreKey::create(&path).map_err(|source| crate::Error::File { path, source })?;
    }
    let clients = options.clients.iter();
    let clients =
        clients.map(|name| Ok((name.clone(), identity(name.as_str())?))).collect::<Result<_, Error>>()?;
    let deployment =
        Deployment { protocol, session, extent, parties: addresses.into_iter().zip(pins).collect(), clients };
    let mut files = Vec::new();
    for &role in roles {
        let fill = |text: &str| text.replace("@ROLE@", &role.to_string()).replace("@NAME@", &stem(role));
        files.push((format!("{}.toml", stem(role)), deployment.party(role)));
        files.push((format!("duoram-{}.service", stem(role)), fill(UNIT)));
    }
    for (name, _) in &deployment.clients {
        files.push((format!("{name}.toml"), deployment.client(name)));
    }
    files.push(("compose.yaml".to_owned(), deployment.compose(COMPOSE, SERVICE)));
    files.push(("README.md".to_owned(), deployment.fill(README)));
    for (name, text) in files {
        let path = folder.join(name);
        write_new(&path, &text).map_err(|source| crate::Error::File { path, source })?;
    }
    let shown = folder.display();
    let first = &options.clients[0];
    output.line(&format!(
        "{shown}: a memory of {extent}, protocol {protocol}, session {}; what goes where is in {shown}/README.md",
        deployment.session
    ))?;
    for &role in roles {
        output.line(&format!("duoram party --config {shown}/{}.toml", stem(role)))?;
    }
    output.line(&format!("duoram client --config {shown}/{first}.toml status"))?;
    Ok(Verdict::Held)
}

/// What the files of a party begin with.
fn stem(role: Role) -> String {
    role.to_string().to_lowercase()
}

/// As many different addresses as parties take part.
fn addresses(hosts: &[String], protocol: ProtocolName) -> Result<Vec<Address>, Error> {
    let refuse = |got: &str| Error::Hosts { protocol, got: got.to_owned() };
    if hosts.len() != protocol.roles().len() {
        return Err(refuse(&format!("{} of them", hosts.len())));
    }
    let mut addresses: Vec<Address> = Vec::new();
    for (port, host) in (7100..).zip(hosts) {
        let address = Address::of(host).or_else(|| Address::of(&format!("{host}:{port}")));
        let address = address.ok_or_else(|| refuse(&format!("'{}'", host.escape_debug())))?;
        if addresses.contains(&address) {
            return Err(refuse(&format!("{address} twice")));
        }
        addresses.push(address);
    }
    Ok(addresses)
}

/// That nothing would be overwritten: half a deployment is worse than none.
fn require_room(folder: &Path, roles: &[Role], clients: &[ClientName]) -> Result<(), Error> {
    let parties = roles.iter().flat_map(|role| {
        let stem = stem(*role);
        [
            format!("{stem}.toml"),
            format!("{stem}.key"),
            format!("{stem}.state-key"),
            format!("duoram-{stem}.service"),
        ]
    });
    let clients = clients.iter().flat_map(|name| [format!("{name}.toml"), format!("{name}.key")]);
    let all = parties.chain(clients).chain(["compose.yaml".to_owned(), "README.md".to_owned()]);
    let names: Vec<_> = all.filter(|name| folder.join(name).symlink_metadata().is_ok()).collect();
    if names.is_empty() { Ok(()) } else { Err(Error::Deployed { folder: folder.to_owned(), names }) }
}

/// A folder that only its owner can read.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}
