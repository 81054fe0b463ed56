//! A party of a protocol, from its folder, until it is told to stop.

use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use duoram_reference::Protocol;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::protocol::{Rules, Runs};
use duoram_runtime::store::{Folder, Owner, Store, StoreKey};
use zeroize::Zeroizing;

use crate::engine::{Engine, Error, Input, Outside, ProtocolFacts};
use crate::settings::Settings;

/// What the engine has to know of a protocol.
pub const fn facts<P: Rules + Protocol>() -> ProtocolFacts {
    ProtocolFacts { version: P::VERSION, write: P::WRITE, roles: P::ROLES }
}

/// Opens the state in `folder`, or begins one, and serves until [`Input::Stop`]. In the thread that calls it: that of the engine,
/// which does nothing else.
///
/// # Errors
///
/// Those of the disk, of randomness, of the party, and that of a folder that another process has or that holds something else. A restart goes on from what
/// is on disk, with the same settings of session, size and rows.
pub fn serve<P: Runs<C>, C: LocalComputation>(
    settings: Settings,
    computation: C,
    (folder, key): (&Path, &StoreKey),
    outside: impl Outside,
    inputs: &Receiver<Input>,
) -> Result<(), Error> {
    let (role, parameters) = (settings.role, settings.parameters);
    let (store, recovered) =
        Store::open(Folder::open(folder)?, key, &Owner::party(parameters.session(), role))?;
    let store = (store.with(computation.beside()), recovered);
    // Whoever has been here before has a seed of its own.
    let mut seed = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *seed).map_err(Error::Randomness)?;
    let party = P::lasting(role, parameters, *seed, computation)?;
    tracing::info!(%role, protocol = P::NAME, log_size = parameters.log_size(), rows = parameters.rows(), row_words = parameters.row_words(), folder = %folder.display(), "opened");
    Engine::open(party, facts::<P>(), settings, store, outside, Duration::ZERO)?.run(inputs)
}
