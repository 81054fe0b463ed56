//! A TCP stream that raises no signal.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// As much of several buffers is sent at once: about what the system takes.
const MOST: usize = 1 << 16;

/// A TCP stream that is never written to by `writev`: on a link that the other end has closed, that raises SIGPIPE where `send`, by which
/// the standard library writes otherwise, does not. Rust's own programs ignore that signal. It ends one in another language, without a
/// word, that has the client as a library.
#[derive(Debug)]
pub struct Socket(TcpStream);

impl Socket {
    pub(crate) const fn new(stream: TcpStream) -> Self {
        Self(stream)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    /// Several buffers as one: records of TLS that are written one by one may be lost but for the first, such as why a caller is refused.
    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut all = Vec::with_capacity(buffers.iter().map(|buffer| buffer.len()).sum::<usize>().min(MOST));
        for buffer in buffers {
            all.extend_from_slice(&buffer[..buffer.len().min(MOST - all.len())]);
        }
        self.poll_write(context, &all)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// Several buffers leave together, as many as fit.
    #[tokio::test]
    async fn buffers_are_sent_as_one() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut socket = Socket::new(TcpStream::connect(listener.local_addr().unwrap()).await.unwrap());
        let (mut other, _) = listener.accept().await.unwrap();
        let buffers = [b"one".as_slice(), b"", b"two"].map(io::IoSlice::new);
        assert_eq!(socket.write_vectored(&buffers).await.unwrap(), 6);
        let mut heard = [0; 6];
        other.read_exact(&mut heard).await.unwrap();
        assert_eq!(&heard, b"onetwo");
        let long = vec![1; MOST - 1];
        let sent = socket.write_vectored(&[&*long, &long].map(io::IoSlice::new)).await.unwrap();
        assert!((1..=MOST).contains(&sent), "{sent}");
    }
}
