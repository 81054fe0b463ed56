//! What an operator sees: health, metrics and a status page, on a listener of its own.
//!
//! | path | what |
//! |---|---|
//! | `/livez` | 200 as long as there is an engine |
//! | `/readyz` | 200 if requests can be done now, else 503 and what is missing |
//! | `/metrics` | for Prometheus |
//! | `/status.json` | all figures |
//! | `/` | the same for people; loads nothing from elsewhere |
//!
//! Nobody is asked who they are: nothing here is secret ([`Status`]), and nothing can be changed. Whoever must not see it is kept away by the
//! address: that of the machine itself, unless an operator chooses another.

mod listener;
mod metrics;
#[cfg(test)]
mod tests;

use std::future::IntoFuture;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::listener::Few;
use crate::edge::{Count, Counts, Published};
use crate::engine::{LATENCY_BOUNDS, Status};

/// An engine that has not published for so long is in a step that takes long, or stuck: either way nothing else is done now.
const STALE: Duration = Duration::from_secs(30);

/// How long answers under way may take when the party stops.
const STOP: Duration = Duration::from_secs(1);

/// What does not change while the party runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct About {
    /// `P0`, `P1` or `P2`.
    pub role: String,
    /// `lean`, `paper` or `two-party`.
    pub protocol: String,
    /// The session, in hexadecimal digits. Not a secret.
    pub session: String,
    /// lg n.
    pub log_size: u32,
    /// m, the addresses that have words.
    pub rows: usize,
    /// w, the words at an address.
    pub row_words: usize,
    /// The program's.
    pub version: String,
    /// The kernels' backend, as it was chosen for this CPU.
    pub backend: String,
    /// The threads of the kernels.
    pub threads: usize,
}

/// Why there is no page.
#[derive(thiserror::Error, Debug)]
#[error("cannot listen on {address} for HTTP: {source}")]
pub struct Error {
    /// The address.
    address: SocketAddr,
    /// Why.
    source: std::io::Error,
}

/// Where the figures come from.
#[derive(Clone)]
pub struct Figures {
    /// What does not change.
    pub about: Arc<About>,
    /// The engine's ([`crate::edge::Voice::status`]).
    pub status: watch::Receiver<Option<Published>>,
    /// The edge's ([`crate::edge::Edge::counts`]).
    pub counts: Arc<Counts>,
}

/// All figures, as `/status.json` has them.
#[derive(Serialize)]
struct Report<'a> {
    about: &'a About,
    /// None before the engine has published once.
    status: Option<&'a Status>,
    /// Milliseconds since it was published.
    age_ms: Option<u64>,
    edge: std::collections::BTreeMap<&'static str, u64>,
    /// Of the classes of latency, in microseconds.
    latency_bounds: [u64; LATENCY_BOUNDS.len()],
}

/// The page at work, on the runtime that started it.
pub struct Http {
    address: SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Http {
    /// Listens, and answers.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub async fn start(listen: SocketAddr, figures: Figures) -> Result<Self, Error> {
        let failed = |source| Error { address: listen, source };
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let stop = CancellationToken::new();
        let serve = axum::serve(Few::new(listener), router(figures))
            .with_graceful_shutdown(stop.clone().cancelled_owned());
        let task = tokio::spawn(async move {
            if let Err(error) = serve.into_future().await {
                tracing::error!(%error, "no more HTTP");
            }
        });
        tracing::info!(%address, "status page");
        Ok(Self { address, stop, task })
    }

    /// Where it listens: with a real port, if that was left open.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers nobody any more.
    pub async fn stop(mut self) {
        self.stop.cancel();
        if timeout(STOP, &mut self.task).await.is_err() {
            self.task.abort();
        }
    }
}

fn router(figures: Figures) -> Router {
    Router::new()
        .route("/livez", get(live))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/status.json", get(report))
        .route("/", get(async || page("text/html; charset=utf-8", include_str!("page/index.html"))))
        .route("/status.css", get(async || page("text/css; charset=utf-8", include_str!("page/status.css"))))
        .route(
            "/status.js",
            get(async || page("text/javascript; charset=utf-8", include_str!("page/status.js"))),
        )
        .with_state(figures)
}

/// An answer that is believed to be what it says, is not kept, and loads and sends nothing but from and to where it comes from.
fn page(content_type: &'static str, body: impl IntoResponse) -> Response {
    const HEADERS: [(HeaderName, &str); 4] = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.extend(HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value))));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn text(status: StatusCode, body: String) -> Response {
    page("text/plain; charset=utf-8", (status, body))
}

/// The engine holds the other end of the status, and takes it along when it ends.
async fn live(State(figures): State<Figures>) -> Response {
    if figures.status.has_changed().is_ok() {
        text(StatusCode::OK, "alive\n".to_owned())
    } else {
        text(StatusCode::SERVICE_UNAVAILABLE, "the engine has ended\n".to_owned())
    }
}

async fn ready(State(figures): State<Figures>) -> Response {
    let missing = match &*figures.status.borrow() {
        None => "the engine has not begun\n".to_owned(),
        Some(_) if figures.status.has_changed().is_err() => "the engine has ended\n".to_owned(),
        Some(published) if published.at.elapsed() > STALE => {
            format!("the engine was last heard of {} s ago\n", published.at.elapsed().as_secs())
        }
        Some(Published { status, .. }) if status.ready => String::new(),
        Some(Published { status, .. }) => format!("waits for {}\n", status.waits_for.join(", ")),
    };
    if missing.is_empty() {
        text(StatusCode::OK, "ready\n".to_owned())
    } else {
        text(StatusCode::SERVICE_UNAVAILABLE, missing)
    }
}

async fn metrics(State(figures): State<Figures>) -> Response {
    match metrics::encode(&figures) {
        Ok(body) => page("application/openmetrics-text; version=1.0.0; charset=utf-8", body),
        Err(std::fmt::Error) => text(StatusCode::INTERNAL_SERVER_ERROR, "no metrics\n".to_owned()),
    }
}

async fn report(State(figures): State<Figures>) -> Response {
    let published = figures.status.borrow().clone();
    let report = Report {
        about: &figures.about,
        status: published.as_ref().map(|published| &published.status),
        age_ms: published
            .as_ref()
            .map(|published| u64::try_from(published.at.elapsed().as_millis()).unwrap_or(u64::MAX)),
        edge: Count::ALL.iter().map(|(count, name)| (*name, figures.counts.get(*count))).collect(),
        latency_bounds: LATENCY_BOUNDS,
    };
    match serde_json::to_string(&report) {
        Ok(body) => page("application/json", body),
        Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")),
    }
}
