//! The pictures, each drawn from values that the specification or a run of the reference computed.
//!
//! What a picture is to show is a test on what is drawn, in words, beside it: a file that is generated proves nothing.
#![allow(clippy::cast_precision_loss, reason = "places on a picture, to a tenth of a pixel")]

mod canvas;
mod glance;
mod holders;
mod protocol;
mod sharings;
mod tree;

use crate::error::Error;
use crate::files::Page;

/// All pictures.
pub(crate) fn pages() -> Result<Vec<Page>, Error> {
    Ok(vec![
        Page::new("dpf-at-a-glance.svg", glance::picture()),
        Page::new("who-holds-what.svg", holders::picture()),
        Page::new("whole-protocol.svg", protocol::picture()?),
        Page::new("two-sharings.svg", sharings::picture()),
        Page::new("tree-correction.svg", tree::picture()),
    ])
}
