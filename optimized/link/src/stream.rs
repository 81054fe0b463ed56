//! Messages on a stream of bytes: sent and received with patience, and never more than a message at a time.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use zeroize::Zeroizing;

use crate::{Envelope, HEAD_LENGTH, Head, LinkError, decode_body};

/// A large message has this long a piece to arrive within the patience: a slow link is waited for, one that drips is not.
const PIECE: usize = 1 << 16;

/// What is read and thrown away after a link was given up.
const MAX_LINGER: usize = 1 << 18;

/// The end that hears.
pub struct Receiver<R>(R);

impl<R: AsyncRead + Unpin> Receiver<R> {
    /// Of a stream on which nothing was heard.
    pub const fn new(stream: R) -> Self {
        Self(stream)
    }

    /// The next message. Its head, and each 64 KiB of its body, must come within `patience`. Not to be cancelled, unless the link
    /// is given up.
    ///
    /// # Errors
    ///
    /// Any [`LinkError`] of a link that is up; the link is then of no more use.
    pub async fn receive<M: Envelope>(&mut self, patience: Duration) -> Result<M, LinkError> {
        let mut bytes = [0; HEAD_LENGTH];
        self.fill(&mut bytes, "to hear a message", patience).await?;
        let head = Head::check::<M>(bytes)?;
        // As much as the head says, which is no more than it may say; a page of it is real when it is written to.
        let mut body = Zeroizing::new(vec![0; head.body()]);
        for piece in body.chunks_mut(PIECE) {
            self.fill(piece, "to hear 64 KiB of a message", patience).await?;
        }
        Ok(decode_body(head, &body)?)
    }

    async fn fill(
        &mut self,
        bytes: &mut [u8],
        what: &'static str,
        patience: Duration,
    ) -> Result<(), LinkError> {
        let filled = timeout(patience, self.0.read_exact(bytes)).await;
        filled.map_err(|_| LinkError::Timeout { what, after: patience })??;
        Ok(())
    }

    /// Reads what still comes and throws it away, until the other end closes, `patience` is over, or it is too much.
    ///
    /// A socket that is closed while there is something to read resets the connection, and the other end may then never see the last
    /// words that were sent to it.
    pub async fn drain(mut self, patience: Duration) {
        drain(&mut self.0, patience).await;
    }
}

/// The end that speaks.
pub struct Sender<W>(W);

impl<W: AsyncWrite + Unpin> Sender<W> {
    /// Of a stream on which nothing was said.
    pub const fn new(stream: W) -> Self {
        Self(stream)
    }

    /// Sends the bytes of one or more messages ([`crate::encode`]). Each 64 KiB of them must leave within `patience`.
    ///
    /// # Errors
    ///
    /// [`LinkError::Timeout`], [`LinkError::Closed`], [`LinkError::Io`]; the link is then of no more use.
    pub async fn send(&mut self, bytes: &[u8], patience: Duration) -> Result<(), LinkError> {
        for piece in bytes.chunks(PIECE) {
            within(patience, self.0.write_all(piece)).await?;
        }
        within(patience, self.0.flush()).await
    }

    /// Says that nothing follows.
    ///
    /// # Errors
    ///
    /// As [`Self::send`].
    pub async fn close(&mut self, patience: Duration) -> Result<(), LinkError> {
        within(patience, self.0.shutdown()).await
    }
}

async fn within(patience: Duration, act: impl Future<Output = io::Result<()>>) -> Result<(), LinkError> {
    let done = timeout(patience, act).await;
    let what = "to send 64 KiB";
    Ok(done.map_err(|_| LinkError::Timeout { what, after: patience })??)
}

/// Gives up a stream so that the other end still sees what was sent last: says that nothing follows, and reads what still comes, up to
/// `patience` and 256 KiB.
pub async fn linger<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, patience: Duration) {
    if stream.shutdown().await.is_ok() {
        drain(&mut stream, patience).await;
    }
}

async fn drain<R: AsyncRead + Unpin>(stream: &mut R, patience: Duration) {
    let all = async {
        let mut bytes = Zeroizing::new([0; 1 << 12]);
        let mut heard = 0;
        while heard < MAX_LINGER
            && let Ok(got @ 1..) = stream.read(&mut bytes[..]).await
        {
            heard += got;
        }
    };
    // Whichever comes first: nobody is told.
    let _ = timeout(patience, all).await;
}
