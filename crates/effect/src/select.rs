//! Permutations: which row stands for which options.

use crate::model::*;

/// A row chosen by names of axes and options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Place in the row table.
    pub index: u64,
    /// Option of each axis.
    pub options: Vec<u8>,
    /// Axes, and options of an axis, that were named but do not exist.
    pub unknown: Vec<String>,
}

impl Effect<'_> {
    /// How many rows a complete container has: the product of the axes' option counts, 1 without axes. `None`
    /// beyond 64 bits.
    pub fn permutations(&self) -> Option<u64> {
        self.axes.iter().try_fold(1u64, |n, a| n.checked_mul(a.options.len() as u64))
    }

    /// Chooses a row as the engine does: the options in `global` come first; if they name an axis, `local` is not
    /// looked at for it. Otherwise the last entry of `local` that names the axis with a known option wins. An axis
    /// that is not named takes its default.
    pub fn select(&self, global: &[(&str, &str)], local: &[(&str, &str)]) -> Selection {
        let mut unknown = Vec::new();
        for (axis, option) in global.iter().chain(local) {
            match self.axes.iter().find(|a| *a.name.0 == *axis.as_bytes()) {
                None => unknown.push((*axis).to_string()),
                Some(a) if position(a, option).is_none() => unknown.push(format!("{axis}={option}")),
                Some(_) => {}
            }
        }
        let choose = |axis: &Axis<'_>| {
            let names = |(name, _): &&(&str, &str)| name.as_bytes() == &*axis.name.0;
            if let Some((_, option)) = global.iter().find(names) {
                return position(axis, option);
            }
            local.iter().filter(names).filter_map(|(_, option)| position(axis, option)).next_back()
        };
        let options: Vec<u8> = self.axes.iter().map(|a| choose(a).unwrap_or(a.default_option)).collect();
        Selection { index: self.index_of(&options), options, unknown }
    }

    /// The place in the row table of these options, one for each axis. The first axis varies fastest.
    pub fn index_of(&self, options: &[u8]) -> u64 {
        let mut scale = 1u64;
        let mut index = 0u64;
        for (axis, &option) in self.axes.iter().zip(options) {
            index = index.saturating_add(scale.saturating_mul(option.into()));
            scale = scale.saturating_mul(axis.options.len() as u64);
        }
        index
    }

    /// The options, one for each axis, that the row at this place stands for.
    pub fn options_of(&self, index: u64) -> Vec<u8> {
        let mut rest = index;
        let digit = |axis: &Axis<'_>| {
            let n = (axis.options.len() as u64).max(1);
            let digit = rest % n;
            rest /= n;
            digit as u8
        };
        self.axes.iter().map(digit).collect()
    }
}

fn position(axis: &Axis<'_>, option: &str) -> Option<u8> {
    let at = axis.options.iter().position(|o| *o.0 == *option.as_bytes())?;
    u8::try_from(at).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(name: &'static str, default_option: u8, options: &[&'static str]) -> Axis<'static> {
        let options = options.iter().map(|&o| o.into()).collect();
        Axis { name: name.into(), default_option, description: "".into(), kind: 0, options }
    }

    fn effect() -> Effect<'static> {
        let axes = vec![axis("A", 1, &["A0", "A1"]), axis("B", 0, &["B0", "B1", "B2"])];
        Effect { version: 15, provenance: Provenance::default(), axes, rows: vec![], bodies: vec![] }
    }

    #[test]
    fn the_first_axis_varies_fastest() {
        let e = effect();
        assert_eq!(e.permutations(), Some(6));
        for index in 0..6 {
            assert_eq!(e.index_of(&e.options_of(index)), index);
        }
        assert_eq!(e.index_of(&[1, 2]), 5);
    }

    #[test]
    fn a_global_option_hides_local_ones() {
        let e = effect();
        assert_eq!(e.select(&[], &[]).index, 1);
        assert_eq!(e.select(&[], &[("A", "A0"), ("B", "B1"), ("B", "B2"), ("B", "no")]).index, 4);
        // An unknown global value leaves the default; the local one is not looked at.
        let s = e.select(&[("A", "no")], &[("A", "A0"), ("C", "x")]);
        assert_eq!((s.index, s.unknown), (1, vec!["A=no".to_string(), "C".to_string()]));
    }
}
