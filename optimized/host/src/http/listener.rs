//! A listener for few, none of whom may stay: nobody who is slow, silent or numerous keeps an operator out.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::edge::{Callers, next_caller};

/// Connections at a time; the oldest makes room.
const MOST: usize = 64;

/// How long a connection lives, used or not. A browser simply makes a new one.
const LIFE: Duration = Duration::from_mins(1);

type Open = Arc<Mutex<Callers<CancellationToken>>>;

pub(super) struct Few {
    listener: TcpListener,
    open: Open,
}

impl Few {
    pub(super) fn new(listener: TcpListener) -> Self {
        // Whoever looks often is most likely one proxy: it may have all.
        Self { listener, open: Arc::new(Mutex::new(Callers::new(MOST, MOST))) }
    }
}

impl Listener for Few {
    type Io = Stream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Stream, SocketAddr) {
        let listener = &self.listener;
        let (stream, address) = next_caller(|| listener.accept()).await;
        let cut = CancellationToken::new();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, oldest) = open.enter(address.ip(), cut.clone());
        drop(open);
        if let Some(oldest) = oldest {
            oldest.cancel();
        }
        let over = Box::pin(async move {
            tokio::select! {
                () = sleep(LIFE) => {}
                () = cut.cancelled_owned() => {}
            }
        });
        (Stream { inner: stream, over, number, open: self.open.clone() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when its time is over, or when it must make room.
pub(super) struct Stream {
    inner: TcpStream,
    over: Pin<Box<dyn Future<Output = ()> + Send>>,
    number: u64,
    open: Open,
}

impl Stream {
    fn check(&mut self, context: &mut Context<'_>) -> Result<(), io::Error> {
        match self.over.as_mut().poll(context) {
            Poll::Ready(()) => {
                // What is over stays over, and must not be polled again.
                self.over = Box::pin(std::future::ready(()));
                Err(io::Error::new(io::ErrorKind::TimedOut, "the connection has had its time"))
            }
            Poll::Pending => Ok(()),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).leave(self.number);
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
