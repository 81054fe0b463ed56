//! A program on the same host.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use duoram_link::{Receiver, Sender, ToClient, ToParty, encode};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use super::*;
use crate::edge::{Error, Local};
use crate::engine::Outside;

fn settings(keys: &Keys, socket: &Path) -> Settings {
    let local = Local { socket: socket.to_owned(), client: "mpc".parse().unwrap() };
    Settings { local: Some(local), ..keys.settings(Role::P0, &[]) }
}

async fn call(socket: &Path) -> (Receiver<OwnedReadHalf>, Sender<OwnedWriteHalf>) {
    let (hears, speaks) = UnixStream::connect(socket).await.unwrap().into_split();
    (Receiver::new(hears), Sender::new(speaks))
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("p0.sock");
    (folder, socket)
}

#[tokio::test]
async fn a_program_of_the_same_host_is_a_client() {
    let (keys, (_folder, socket)) = (Keys::new(), folder());
    let mut p0 = Host::start(settings(&keys, &socket)).await;
    assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
    let (mut receiver, mut sender) = call(&socket).await;
    let Input::Client(number, who) = p0.next().await else { panic!() };
    assert_eq!(who.as_str(), "mpc");
    sender.send(&encode(&ToParty::Begin { first: 5 }), LONG).await.unwrap();
    assert!(matches!(p0.next().await, Input::FromClient(n, ToParty::Begin { first: 5 }) if n == number));
    p0.voice.to_client(number, ToClient::Accepted { number: 5 });
    assert_eq!(receiver.receive::<ToClient>(LONG).await, Ok(ToClient::Accepted { number: 5 }));
    // A second one of it ends the first, as of any client; what is no message is refused in words.
    let (mut second, mut sender) = call(&socket).await;
    assert!(matches!(receiver.receive::<ToClient>(LONG).await, Ok(ToClient::Goodbye(_))));
    sender.send(&[0, 0, 0, 0, 9], LONG).await.unwrap();
    assert!(matches!(second.receive::<ToClient>(LONG).await, Ok(ToClient::Goodbye(_))));
    p0.edge.stop().await;
    assert!(!socket.exists());
}

/// A crash leaves the socket behind; a party that runs keeps it.
#[tokio::test]
async fn a_socket_that_nobody_listens_on_is_taken_over() {
    let (keys, (_folder, socket)) = (Keys::new(), folder());
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    assert!(socket.exists());
    let p0 = Host::start(settings(&keys, &socket)).await;
    let _line = call(&socket).await;
    assert!(matches!(p0.next().await, Input::Client(..)));
    let refused = async |socket: &Path| {
        let (inbox, _inputs) = crate::edge::inputs();
        Edge::start(settings(&keys, socket), inbox).await.err().unwrap()
    };
    assert!(matches!(refused(&socket).await, Error::Socket { .. }));
    // What is no socket is nobody's to remove.
    let file = socket.with_extension("txt");
    fs::write(&file, "words").unwrap();
    assert!(refused(&file).await.to_string().contains("p0.txt"));
    assert_eq!(fs::read(&file).unwrap(), b"words");
}
