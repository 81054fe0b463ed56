//! Whether two classes of secrets take different times: Welch's t-test, as dudect does it (Reparaz, Balasch, Verbauwhede,
//! *Dude, is my code constant time?*, DATE 2017).

use std::time::Instant;

use duoram_vectors::Random;

/// Times of one class: count, mean and sum of squared distances from it (Welford).
#[derive(Clone, Copy, Default)]
struct Class {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Class {
    fn add(&mut self, time: f64) {
        self.count += 1.0;
        let distance = time - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (time - self.mean);
    }

    /// The variance of the mean.
    fn spread(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

/// Times so many calls of each class in random order, and returns t: far from 0 if the classes' times differ. What a
/// call needs is made before it is timed, the same way for both classes. The slowest twentieth is left out, for that is the
/// machine doing something else.
pub(crate) fn t<I, T>(calls: usize, mut make: impl FnMut(bool) -> I, mut call: impl FnMut(&I) -> T) -> f64 {
    let mut order = Random(1);
    let mut times = Vec::with_capacity(2 * calls);
    for _ in 0..2 * calls {
        let class = order.word() & 1 == 1;
        let input = make(class);
        let start = Instant::now();
        std::hint::black_box(call(&input));
        times.push((class, start.elapsed()));
    }
    times.drain(..times.len() / 10); // caches and predictors warm up
    let mut sorted: Vec<_> = times.iter().map(|(_, time)| *time).collect();
    sorted.sort_unstable();
    let limit = sorted[sorted.len() * 19 / 20];
    let mut classes = [Class::default(); 2];
    for (class, time) in times.into_iter().filter(|(_, time)| *time <= limit) {
        classes[usize::from(class)].add(time.as_secs_f64() * 1e9);
    }
    let [fixed, random] = classes;
    (fixed.mean - random.mean) / (fixed.spread() + random.spread()).sqrt()
}
