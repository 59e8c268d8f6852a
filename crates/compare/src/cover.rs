//! Covering arrays: a few rows of choices in which any two factors meet with every two of their values.

use crate::random::Random;

/// Two values of two factors, each as its factor and number.
pub type Pair = [(usize, usize); 2];

/// What part of all rows a long run takes: with `ALL=1` all of them, with `ALL=n` every `n`th. Nothing of it every day.
pub fn share() -> Option<usize> {
    std::env::var("ALL").ok()?.parse().ok()
}

/// Factors, of which every row chooses a value each, and pairs of values that exclude each other.
#[derive(Clone, Debug, Default)]
pub struct Factors {
    counts: Vec<usize>,
    excluded: Vec<Pair>,
    strangers: Vec<[usize; 2]>,
}

impl Factors {
    /// Adds a factor of so many values, at least one; returns its number.
    pub fn add(&mut self, count: usize) -> usize {
        self.counts.push(count);
        self.counts.len() - 1
    }

    /// How many values a factor has.
    pub fn count(&self, factor: usize) -> usize {
        self.counts[factor]
    }

    /// Says that two values, each as its factor and number, are in no row together. Of every factor, a value must be
    /// left that goes with all others.
    pub fn exclude(&mut self, one: (usize, usize), other: (usize, usize)) {
        self.excluded.push([one, other]);
    }

    /// Says that the values of two factors need not meet, though they may.
    pub fn need_not_meet(&mut self, one: usize, other: usize) {
        self.strangers.push([one, other]);
    }

    fn allows(&self, one: (usize, usize), other: (usize, usize)) -> bool {
        !self.excluded.iter().any(|e| *e == [one, other] || *e == [other, one])
    }

    /// The first pair of values that is to meet, each as its factor and number, and that no row has.
    pub fn unmet(&self, rows: &[Vec<usize>]) -> Option<Pair> {
        self.pairs().into_iter().find(|p| !rows.iter().any(|row| has(row, p)))
    }

    /// Every pair of values that are to meet.
    fn pairs(&self) -> Vec<Pair> {
        let all: Vec<_> =
            self.counts.iter().enumerate().flat_map(|(f, &count)| (0..count).map(move |v| (f, v))).collect();
        let pairs = all.iter().flat_map(|&a| all.iter().map(move |&b| [a, b]));
        let strange = |f, g| self.strangers.iter().any(|s| *s == [f, g] || *s == [g, f]);
        pairs.filter(|&[a, b]| a.0 < b.0 && !strange(a.0, b.0) && self.allows(a, b)).collect()
    }

    /// All rows there are, of which `vary` says which factors take part; the others have `fixed`'s values.
    pub fn product(&self, vary: impl Fn(usize) -> bool, fixed: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new()];
        for (f, &count) in self.counts.iter().enumerate() {
            let values = if vary(f) { 0..count } else { fixed(f)..fixed(f) + 1 };
            let longer = rows.iter().flat_map(|row: &Vec<usize>| {
                let fits = |&v: &usize| row.iter().enumerate().all(|(g, &w)| self.allows((g, w), (f, v)));
                values.clone().filter(fits).map(|v| [&row[..], &[v]].concat()).collect::<Vec<_>>()
            });
            rows = longer.collect();
        }
        rows
    }

    /// The [`share`] of all rows that a long run takes, or every day a covering.
    pub fn rows(&self, seed: u64) -> Vec<Vec<usize>> {
        match share() {
            Some(n) => self.product(|_| true, |_| 0).into_iter().step_by(n).collect(),
            None => self.covering(seed),
        }
    }

    /// Rows that have every pair.
    pub fn covering(&self, seed: u64) -> Vec<Vec<usize>> {
        let mut random = Random::new(seed);
        let mut left = self.pairs();
        let mut rows = Vec::new();
        while let Some(&first) = left.first() {
            let tries = (0..8).map(|_| self.row(first, &left, &mut random));
            let new = |row: &Vec<usize>| left.iter().filter(|p| has(row, p)).count();
            let row = tries.max_by_key(new).unwrap_or_default();
            left.retain(|p| !has(&row, p));
            rows.push(row);
        }
        rows
    }

    /// A row with the pair `first`, each further value such that many of the pairs that are left come with it.
    fn row(&self, first: Pair, left: &[Pair], random: &mut Random) -> Vec<usize> {
        let mut row: Vec<Option<usize>> = vec![None; self.counts.len()];
        let mut rest: Vec<usize> = (0..row.len()).filter(|f| first.iter().all(|x| x.0 != *f)).collect();
        first.iter().for_each(|&(f, v)| row[f] = Some(v));
        while !rest.is_empty() {
            let f = rest.swap_remove(random.below(rest.len() as u32) as usize);
            let chosen = row.iter().enumerate().filter_map(|(g, w)| w.map(|w| (g, w)));
            let fits = |v: usize| chosen.clone().all(|x| self.allows(x, (f, v)));
            let new = |v: usize| {
                let comes = |x: &(usize, usize)| *x == (f, v) || row[x.0] == Some(x.1);
                left.iter().filter(|p| p.contains(&(f, v)) && p.iter().all(comes)).count()
            };
            let values = (0..self.counts[f]).filter(|&v| fits(v));
            let value = values.map(|v| (new(v), random.bits(), v)).max().map(|x| x.2);
            row[f] = Some(value.expect("a value is left that goes with all others"));
        }
        row.into_iter().flatten().collect()
    }
}

fn has(row: &[usize], pair: &Pair) -> bool {
    pair.iter().all(|&(f, v)| row[f] == v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn factors() -> Factors {
        let mut factors = Factors::default();
        for count in [15, 4, 4, 2, 3] {
            factors.add(count);
        }
        factors.exclude((1, 3), (2, 3));
        factors.exclude((4, 1), (0, 2));
        factors
    }

    #[test]
    fn few_rows_have_every_pair_and_no_other() {
        let factors = factors();
        let rows = factors.covering(1);
        let found: BTreeSet<_> = rows
            .iter()
            .flat_map(|row| (0..5).flat_map(move |f| (f + 1..5).map(move |g| [(f, row[f]), (g, row[g])])))
            .collect();
        let all: BTreeSet<_> = factors.pairs().into_iter().collect();
        // 15 and the sum of the others, and so on, less the two.
        assert_eq!(all.len(), 15 * 13 + 4 * 9 + 4 * 5 + 2 * 3 - 2);
        assert_eq!(found, all);
        assert!(rows.len() <= 80, "{} rows", rows.len());
        assert_eq!(rows, factors.covering(1));
    }

    #[test]
    fn what_need_not_meet_costs_no_rows() {
        let mut factors = Factors::default();
        [9, 9, 2].into_iter().for_each(|count| _ = factors.add(count));
        assert_eq!(factors.covering(1).len(), 81);
        factors.need_not_meet(1, 0);
        assert_eq!(factors.covering(1).len(), 18);
    }

    #[test]
    fn the_product_has_every_row_that_may_be() {
        let factors = factors();
        let rows = factors.product(|_| true, |_| 0);
        // Both exclusions leave out their pair with everything else, and what both leave out counts once.
        let all = 15 * 4 * 4 * 2 * 3;
        assert_eq!(rows.len(), all - 15 * 2 * 3 - 4 * 4 * 2 + 2);
        assert_eq!(factors.product(|f| f == 3, |_| 1), [[1, 1, 1, 0, 1], [1, 1, 1, 1, 1]]);
    }
}
