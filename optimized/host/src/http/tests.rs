//! What is answered when, and to whom.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::*;
use crate::engine::{Items, KindStatus, LinkStatus, Wear};

fn about() -> About {
    About {
        role: "P0".to_owned(),
        protocol: "lean".to_owned(),
        session: "00".repeat(16),
        log_size: 16,
        rows: 40_000,
        row_words: 3,
        version: "0.1.0".to_owned(),
        backend: "portable \"quoted\"".to_owned(),
        threads: 2,
    }
}

fn status(ready: bool) -> Status {
    let link = |peer: &str, up| LinkStatus {
        peer: peer.to_owned(),
        up,
        connects: 3,
        unacknowledged_bytes: 40,
        refused: Some("<b>expected 1, got 2</b>".to_owned()),
    };
    let mut latency = [0; LATENCY_BOUNDS.len() + 1];
    (latency[0], latency[3], latency[16]) = (5, 2, 1);
    Status {
        role: "P0".to_owned(),
        ready,
        waits_for: if ready { vec![] } else { vec!["a link", "items"] },
        loaded: true,
        stock: Items { reads: 7, updates: 9 },
        making: Items { reads: 0, updates: 4 },
        items_made: 50,
        key_labels: 1500,
        key_labels_limit: 1 << 21,
        key_wear: Wear::Soon,
        links: vec![link("P1", true), link("P2", ready)],
        clients: 2,
        waiting: 1,
        orders: 12,
        requests: vec![KindStatus {
            kind: "read",
            done: 8,
            refused: 1,
            queries: 11,
            microseconds: 12_500_000,
            latency,
        }],
        journal_bytes: 1000,
        snapshot_age_ms: 1500,
        syncs: 6,
        sync_microseconds: 600,
        uptime_ms: 60_000,
        under_way: [true, false],
    }
}

struct Page {
    http: Http,
    voice: watch::Sender<Option<Published>>,
}

impl Page {
    async fn start() -> Self {
        let voice = watch::Sender::new(None);
        let figures = Figures {
            about: Arc::new(about()),
            status: voice.subscribe(),
            counts: Arc::new(Counts::default()),
        };
        let http = Http::start(([127, 0, 0, 1], 0).into(), figures).await.unwrap();
        Self { http, voice }
    }

    fn publish(&self, ready: bool) {
        self.voice.send_replace(Some(Published { at: Instant::now(), status: status(ready) }));
    }

    /// The status code, the head, and the body.
    async fn ask(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.http.address()).await.unwrap();
        let request = format!("{request} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let code = head.split(' ').nth(1).unwrap().parse().unwrap();
        (code, head.to_lowercase(), body.to_owned())
    }

    async fn get(&self, path: &str) -> (u16, String) {
        let (code, _, body) = self.ask(&format!("GET {path}")).await;
        (code, body)
    }
}

/// Alive is the process, ready is the service: only one of them is for a supervisor that restarts.
#[tokio::test]
async fn alive_and_ready_are_two_things() {
    let page = Page::start().await;
    assert_eq!(page.get("/livez").await, (200, "alive\n".to_owned()));
    assert_eq!(page.get("/readyz").await, (503, "the engine has not begun\n".to_owned()));
    page.publish(false);
    assert_eq!(page.get("/livez").await.0, 200);
    assert_eq!(page.get("/readyz").await, (503, "waits for a link, items\n".to_owned()));
    page.publish(true);
    assert_eq!(page.get("/readyz").await, (200, "ready\n".to_owned()));
    let long_ago = Instant::now().checked_sub(STALE + Duration::from_secs(5)).unwrap();
    page.voice.send_replace(Some(Published { at: long_ago, status: status(true) }));
    assert_eq!(page.get("/readyz").await, (503, "the engine was last heard of 35 s ago\n".to_owned()));
    page.publish(true);
    let Page { http, voice } = page;
    drop(voice);
    let page = Page { http, voice: watch::Sender::new(None) };
    assert_eq!(page.get("/livez").await.0, 503);
    assert_eq!(page.get("/readyz").await, (503, "the engine has ended\n".to_owned()));
}

#[tokio::test]
async fn metrics_are_what_prometheus_reads() {
    let page = Page::start().await;
    let (code, before) = page.get("/metrics").await;
    assert_eq!(code, 200);
    assert!(before.contains("duoram_about{role=\"P0\"") && !before.contains("duoram_ready"));
    page.publish(true);
    let (_, head, body) = page.ask("GET /metrics").await;
    assert!(head.contains("application/openmetrics-text"));
    for line in [
        "# TYPE duoram_ready gauge",
        "duoram_ready 1",
        "duoram_stock_items{kind=\"update\"} 9",
        "duoram_making_items{kind=\"update\"} 4",
        "duoram_items_made_total 50",
        "duoram_key_labels_total 1500",
        "duoram_key_labels_limit 2097152",
        "duoram_key_wear 1",
        "duoram_link_up{peer=\"P1\"} 1",
        "duoram_link_connects_total{peer=\"P2\"} 3",
        "duoram_link_unacknowledged_bytes{peer=\"P2\"} 40",
        "duoram_requests_total{kind=\"read\",outcome=\"done\"} 8",
        "duoram_requests_total{kind=\"read\",outcome=\"refused\"} 1",
        "duoram_queries_total{kind=\"read\"} 11",
        "duoram_request_seconds_sum{kind=\"read\"} 12.5",
        "duoram_request_seconds_count{kind=\"read\"} 8",
        "duoram_request_seconds_bucket{le=\"0.0001\",kind=\"read\"} 5",
        "duoram_request_seconds_bucket{le=\"0.001\",kind=\"read\"} 7",
        "duoram_request_seconds_bucket{le=\"10.0\",kind=\"read\"} 7",
        "duoram_request_seconds_bucket{le=\"+Inf\",kind=\"read\"} 8",
        "duoram_journal_bytes 1000",
        "duoram_snapshot_age_seconds 1.5",
        "duoram_syncs_total 6",
        "duoram_edge_events_total{event=\"refused\"} 0",
        "duoram_step_under_way{lane=\"memory\"} 1",
        "# EOF",
    ] {
        assert!(body.lines().any(|other| other == line), "{line} is not in\n{body}");
    }
    // A quotation mark in a label ends nothing.
    assert!(body.contains(r#"backend="portable \"quoted\"""#));
}

#[tokio::test]
async fn the_report_has_all_figures() {
    let page = Page::start().await;
    let report = async || -> serde_json::Value {
        let (code, body) = page.get("/status.json").await;
        assert_eq!(code, 200);
        serde_json::from_str(&body).unwrap()
    };
    assert!(report().await["status"].is_null());
    page.publish(false);
    let report = report().await;
    assert_eq!(report["about"]["backend"], "portable \"quoted\"");
    assert_eq!(report["status"]["links"][1]["up"], false);
    assert_eq!(report["status"]["requests"][0]["latency"][3], 2);
    assert_eq!(report["latency_bounds"].as_array().unwrap().len() + 1, 17);
    assert_eq!(report["edge"]["overflowed"], 0);
    assert!(report["age_ms"].as_u64().is_some());
}

/// The page is three files of its own; nothing in it is from elsewhere, or could be.
#[tokio::test]
async fn the_page_is_all_its_own() {
    let page = Page::start().await;
    let (code, head, html) = page.ask("GET /").await;
    assert_eq!(code, 200);
    let policy = head.lines().find(|line| line.starts_with("content-security-policy:")).unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
    assert!(head.contains("x-content-type-options: nosniff"));
    let (_, css) = page.get("/status.css").await;
    let (_, js) = page.get("/status.js").await;
    for text in [&html, &css, &js] {
        for foreign in
            ["http:", "https:", "//fonts", "@import", "innerHTML", " onload", " onclick", "style=", "eval("]
        {
            assert!(!text.contains(foreign), "{foreign}");
        }
    }
    assert_eq!(
        html.matches("<script").count(),
        html.matches("<script src=\"status.js\" defer></script>").count()
    );
    assert!(!html.contains("<style"));
    // Whatever the script looks for is there.
    for call in ["getElementById('", "fill('"] {
        for id in js.split(call).skip(1).filter_map(|rest| rest.split('\'').next()) {
            assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }
}

#[tokio::test]
async fn nothing_else_is_answered() {
    let page = Page::start().await;
    assert_eq!(page.get("/../etc/passwd").await.0, 404);
    assert_eq!(page.get("/status.json/").await.0, 404);
    for method in ["POST", "PUT", "DELETE"] {
        assert_eq!(page.ask(&format!("{method} /status.json")).await.0, 405);
    }
    let error = Http::start(
        page.http.address(),
        Figures { about: Arc::new(about()), status: page.voice.subscribe(), counts: Arc::default() },
    );
    assert!(error.await.err().unwrap().to_string().contains("cannot listen on 127.0.0.1:"));
    let address = page.http.address();
    page.http.stop().await;
    assert!(TcpStream::connect(address).await.is_err());
}

/// Some say nothing, some half a request, some too much of one.
#[tokio::test]
async fn callers_that_are_slow_or_many_keep_nobody_out() {
    let page = Page::start().await;
    page.publish(true);
    let mut held = Vec::new();
    let endless = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(1 << 20));
    for index in 0..300 {
        let mut stream = TcpStream::connect(page.http.address()).await.unwrap();
        let said = [&b""[..], b"GET / HT", endless.as_bytes()][index % 3];
        // It may be refused in the middle.
        let _ = tokio::time::timeout(Duration::from_millis(20), stream.write_all(said)).await;
        held.push(stream);
        if index % 100 == 99 {
            assert_eq!(page.get("/readyz").await.0, 200);
        }
    }
    // All but a few were hung up on.
    let start = Instant::now();
    let mut open = held.len();
    while open > 64 && start.elapsed() < Duration::from_secs(20) {
        open = 0;
        for stream in &mut held {
            let read = tokio::time::timeout(Duration::from_micros(100), stream.read(&mut [0; 1000])).await;
            open += usize::from(read.is_err());
        }
    }
    assert!(open <= 64, "{open}");
}
