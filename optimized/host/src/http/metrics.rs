//! Figures for Prometheus, in OpenMetrics text, made when they are asked for.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use super::Figures;
use crate::edge::Count;
use crate::engine::{KindStatus, LATENCY_BOUNDS, Status};

/// The text that `/metrics` answers.
pub(super) fn encode(figures: &Figures) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix("duoram");
    registry.register_collector(Box::new(Snapshot(figures.clone())));
    let mut text = String::new();
    prometheus_client::encoding::text::encode(&mut text, &registry)?;
    Ok(text)
}

/// The figures as they are now.
struct Snapshot(Figures);

impl fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Snapshot")
    }
}

impl Collector for Snapshot {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let mut out = Out(encoder);
        let Figures { about, status, counts } = &self.0;
        let [log_size, rows, row_words] =
            [about.log_size.to_string(), about.rows.to_string(), about.row_words.to_string()];
        let info = [
            ("role", &*about.role),
            ("protocol", &*about.protocol),
            ("version", &*about.version),
            ("backend", &*about.backend),
            ("log_size", &*log_size),
            ("rows", &*rows),
            ("row_words", &*row_words),
        ];
        out.gauges("about", "What does not change while the party runs", [(info, 1)])?;
        let events = Count::ALL.map(|(count, name)| ([("event", name)], counts.get(count)));
        out.counters("edge_events", "Callers and connections", events)?;
        match &*status.borrow() {
            Some(published) => {
                out.gauge("status_age_seconds", "Since the figures below", seconds(published.at.elapsed()))?;
                out.status(&published.status)
            }
            None => Ok(()),
        }
    }
}

/// Label and number.
type Labelled<'a, N> = ([(&'a str, &'a str); 1], N);

struct Out<'a>(DescriptorEncoder<'a>);

impl Out<'_> {
    fn gauge<N: EncodeGaugeValue + Copy>(&mut self, name: &str, help: &str, number: N) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&number)
    }

    fn gauges<'a, N: EncodeGaugeValue, const LABELS: usize>(
        &mut self,
        name: &str,
        help: &str,
        numbers: impl IntoIterator<Item = ([(&'a str, &'a str); LABELS], N)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        numbers
            .into_iter()
            .try_for_each(|(label, number)| family.encode_family(&label)?.encode_gauge(&number))
    }

    fn counter<N: EncodeCounterValue + Copy>(&mut self, name: &str, help: &str, number: N) -> fmt::Result {
        let mut counter = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        counter.encode_counter::<NoLabelSet, _, u64>(&number, None)
    }

    fn counters<'a, N: EncodeCounterValue, const LABELS: usize>(
        &mut self,
        name: &str,
        help: &str,
        numbers: impl IntoIterator<Item = ([(&'a str, &'a str); LABELS], N)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        numbers.into_iter().try_for_each(|(label, number)| {
            family.encode_family(&label)?.encode_counter::<NoLabelSet, _, u64>(&number, None)
        })
    }

    fn status(&mut self, status: &Status) -> fmt::Result {
        self.gauge("ready", "Whether requests can be done now", i64::from(status.ready))?;
        self.gauge("loaded", "Whether the memory was loaded", i64::from(status.loaded))?;
        self.gauges("stock_items", "Items that the party has", kinds(status.stock))?;
        self.gauges("making_items", "Items that are being made", kinds(status.making))?;
        self.counter("items_made", "Items that were made since the session began", status.items_made)?;
        self.counter("key_labels", "Labels that the session's key has served, at most", status.key_labels)?;
        let help = "Labels that it should serve at most before the session is replaced";
        self.gauge("key_labels_limit", help, i64::try_from(status.key_labels_limit).unwrap_or(i64::MAX))?;
        let help = "0, or 1 when it has served most of them, or 2 when it has served more";
        self.gauge("key_wear", help, status.key_wear as i64)?;
        self.links(status)?;
        self.gauge("clients", "Clients that are connected", count(status.clients))?;
        self.gauge("waiting_requests", "Requests that wait for their turn", count(status.waiting))?;
        self.counter("orders", "Orders that were given or taken", status.orders)?;
        self.requests(&status.requests)?;
        let lanes = ["memory", "making"].into_iter().zip(status.under_way);
        let lanes = lanes.map(|(lane, is_busy)| ([("lane", lane)], i64::from(is_busy)));
        self.gauges("step_under_way", "Whether a step is under way", lanes)?;
        self.gauge("journal_bytes", "Records since the last snapshot", count(status.journal_bytes))?;
        self.gauge("snapshot_age_seconds", "Since the last snapshot", of_ms(status.snapshot_age_ms))?;
        self.counter("syncs", "Groups of records that were written", status.syncs)?;
        self.counter("sync_seconds", "Time that this took", of_us(status.sync_microseconds))?;
        self.gauge("uptime_seconds", "Since the start", of_ms(status.uptime_ms))
    }

    fn links(&mut self, status: &Status) -> fmt::Result {
        fn each<N>(
            status: &Status,
            number: impl Fn(&crate::engine::LinkStatus) -> N,
        ) -> Vec<Labelled<'_, N>> {
            status.links.iter().map(|link| ([("peer", &*link.peer)], number(link))).collect()
        }
        self.gauges("link_up", "Whether the link is up", each(status, |link| i64::from(link.up)))?;
        self.counters("link_connects", "How often it came up", each(status, |link| link.connects))?;
        let unacknowledged = each(status, |link| count(link.unacknowledged_bytes));
        self.gauges("link_unacknowledged_bytes", "Frames that the peer has not on its disk", unacknowledged)
    }

    fn requests(&mut self, requests: &[KindStatus]) -> fmt::Result {
        let outcomes = requests.iter().flat_map(|kind| {
            let of = |outcome, number| ([("kind", kind.kind), ("outcome", outcome)], number);
            [of("done", kind.done), of("refused", kind.refused)]
        });
        self.counters("requests", "Requests that have their answer", outcomes)?;
        let queries = requests.iter().map(|kind| ([("kind", kind.kind)], kind.queries));
        self.counters("queries", "Queries of requests that were done", queries)?;
        let name = "request_seconds";
        let help = "From a request to its answer, of those done";
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for kind in requests {
            let bounds = LATENCY_BOUNDS.iter().map(|bound| of_us(*bound)).chain([f64::INFINITY]);
            let buckets: Vec<(f64, u64)> = bounds.zip(kind.latency).collect();
            family.encode_family(&[("kind", kind.kind)])?.encode_histogram::<NoLabelSet>(
                of_us(kind.microseconds),
                kind.done,
                &buckets,
                None,
            )?;
        }
        Ok(())
    }
}

fn kinds(items: crate::engine::Items) -> [Labelled<'static, i64>; 2] {
    [([("kind", "read")], count(items.reads)), ([("kind", "update")], count(items.updates))]
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn seconds(duration: std::time::Duration) -> f64 {
    duration.as_secs_f64()
}

fn of_ms(milliseconds: u64) -> f64 {
    seconds(std::time::Duration::from_millis(milliseconds))
}

fn of_us(microseconds: u64) -> f64 {
    seconds(std::time::Duration::from_micros(microseconds))
}
